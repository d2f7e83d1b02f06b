# Translations: what a run costs in addition to the engine, Apertium, on the same text. Both are
# many processes at once, so processor time is compared; elapsed time is shown next to it.

# cpu_ms COMMAND...: milliseconds of processor time of the command and of all children it waited for
cpu_ms() {
	(
		"$@" >"$tmp/command" 2>&1 || give_up "$*: $(cat "$tmp/command")"
		times
	) | awk '
		function ms(t) { sub("s$", "", t); split(t, part, "m"); return (part[1] * 60 + part[2]) * 1000 }
		NR == 2 { printf "%d\n", ms($1) + ms($2) }'
}

# translate_run: the same for a run of the translation $t_id, by a separate job runner
translate_run() { cpu_ms "$octavo" translations run --dir "$j_data" "$t_id"; }

# translate_new LANGUAGE: a translation of $j_space that runs only on request
translate_new() {
	t_id=$(api POST "$j_base/v1/orgs/$j_org/translations" "$j_token" \
		"{\"source\":{\"space\":\"$j_space\",\"language\":\"en\"},\"language\":\"$1\",\"automatic\":false}" | jq -r .id)
}

# translate_edit: changes one page of $j_space
translate_edit() {
	service "$j_data"
	j_base=$base
	t_page=$(api GET "$j_base/v1/spaces/$j_space/content/pages" "$j_token" | jq -r '[.. | objects | select(.type? == "document")][7].id')
	t_number=$(request_new "$j_base" "$j_token" "$j_space")
	printf '%s\n' "POST $j_base/v1/spaces/$j_space/change-requests/$t_number/content $(edit "$t_page" one)" | batch "$j_token" >/dev/null
	api POST "$j_base/v1/spaces/$j_space/change-requests/$t_number/merge" "$j_token" >/dev/null
	jobs_quiet
	"$octavo" down --dir "$j_data" >/dev/null
}

# The input of the engine is recorded by a first translation into another language.
row_translate() {
	t_name='translation of fluentd, first run : the engine alone'
	if [ ! -e /usr/share/apertium/modes/eng-spa.mode ] || [ ! -r "$corpus/fluentd.bundle" ]; then
		row_skip "$t_name" 'no Apertium, or no corpus'
		return
	fi
	jobs_up
	git clone -q --bare "$corpus/fluentd.bundle" "$tmp/fluentd.git"
	j_space=$(job_import fluentd "$tmp/fluentd.git" '')
	translate_new es
	t_spanish=$t_id
	translate_new fr
	"$octavo" down --dir "$j_data" >/dev/null
	export OCTAVO_TRANSLATE_EN_FR="tee -a $tmp/asked"
	t_bare=$(translate_run)
	t_id=$t_spanish
	t_start=$(now_ms)
	t_engine=$(cpu_ms apertium -u eng-spa "$tmp/asked")
	t_middle=$(now_ms)
	t_first=$(translate_run)
	t_end=$(now_ms)
	echo "$t_first $t_engine" >"$tmp/measure"
	row "$t_name" ms le 1.3 "$tmp/measure"
	note 'wall time of both, ms' $((t_end - t_middle)) $((t_middle - t_start))
	note 'a run whose engine does nothing, ms' "$t_bare" "$t_engine"
	echo "$(translate_run) $t_first" >"$tmp/measure"
	row '  again, nothing changed : the first run' ms le 0.02 "$tmp/measure"
	translate_edit
	echo "$(translate_run) $t_first" >"$tmp/measure"
	row '  again, one page edited : the first run' ms le 0.05 "$tmp/measure"
	t_kept=$(sql "$j_data" "SELECT COALESCE(sum(json_array_length(warnings)), 0) FROM translation_page WHERE translation = '$t_id'")
	row_print '  texts that stayed in the source language' "$t_kept of $(grep -c . "$tmp/asked")" - - 0 \
		"$([ "$t_kept" = 0 ] && echo ok || echo MISSED)"
	unset OCTAVO_TRANSLATE_EN_FR
	rm -rf "$j_data" "$tmp/fluentd.git" "$tmp/asked"
}
