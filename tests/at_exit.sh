# For test scripts, sourced: at_exit FUNCTION calls the function once when the script ends, by
# itself or by HUP, INT or TERM, after its background processes have been ended. Nothing can create
# again what the function deletes.
at_exit() {
	at_exit_function=$1
	trap at_exit_run EXIT
	trap 'at_exit_signal=HUP; exit 129' HUP
	trap 'at_exit_signal=INT; exit 130' INT
	trap 'at_exit_signal=TERM; exit 143' TERM
}

at_exit_signal=''   # the signal that ended the script; '' for none
at_exit_run() {
	trap '' HUP INT TERM
	at_exit_pids=''
	# Read without starting a child process. The last line has no newline.
	read -r at_exit_pids <"/proc/$$/task/$$/children" || :
	if [ -n "$at_exit_pids" ]; then
		# shellcheck disable=SC2086
		kill $at_exit_pids 2>/dev/null || :
		# shellcheck disable=SC2086
		wait $at_exit_pids 2>/dev/null || :
	fi
	"$at_exit_function"
}
