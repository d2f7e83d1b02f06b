#!/bin/sh
# Runs a command and ends it if it hangs, without a limit on elapsed time, which would fail on a
# busy machine:
#
#   sh tests/bounded.sh CPU IDLE COMMAND...
#
# The command and its descendants may use CPU seconds of processor time. They are also ended if they
# use hardly any (less than a tenth of a second) during IDLE samples, of which there is about one
# per second. The command gets TERM; its descendants get KILL when it has exited, or after thirty
# more samples. The exit status is the command's, or 124 if it was ended.
set -u
cpu=$1 idle=$2
shift 2
. "$(dirname "$0")/at_exit.sh"

# Every process below the command, including itself; then the sum of their CPU time in hundredths of
# a second, including children that they have waited for.
tree() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v root="$pid" '
		# The name of a program may contain spaces and parentheses.
		{
			id = $1
			sub(/^.*\) /, "")
			parent[id] = $2
			time[id] = $12 + $13 + $14 + $15
		}
		END {
			for (id in parent) {
				for (p = id; p != root && p in parent && p > 1; p = parent[p])
					;
				if (p == root) {
					list = list " " id
					sum += time[id]
				}
			}
			print sum + 0, list
		}'
}

# TERM goes to the command only, which then ends its children in its own way. Its remaining
# processes are killed when it has exited, and everything after thirty more samples.
end_begin() {
	set -- $(tree)
	shift
	below=$*
	kill -TERM "$pid" 2>/dev/null
}

end_all() {
	# shellcheck disable=SC2086
	[ -z "$below" ] || kill -KILL $below 2>/dev/null
}

leave() { :; }
at_exit leave
"$@" &
pid=$!
ticks=$(getconf CLK_TCK) used=0 quiet=0 ending=0 why='' below=''
while kill -0 "$pid" 2>/dev/null; do
	# Short commands need not wait for a whole second.
	if [ "$used" -eq 0 ] && [ $quiet -lt 5 ]; then sleep 0.2; else sleep 1; fi
	now=$(tree)
	now=$((${now%% *} * 100 / ticks))
	quiet=$((quiet + 1))
	if [ $((now - used)) -ge 10 ] || [ "$now" -lt "$used" ]; then used=$now quiet=0; fi
	if [ -n "$why" ]; then
		ending=$((ending + 1))
		[ $ending -ne 30 ] || end_all
	elif [ "$now" -gt $((cpu * 100)) ]; then
		why="it used more than $cpu seconds of CPU"
	elif [ "$quiet" -ge "$idle" ]; then
		why="it did nothing for $idle seconds"
	fi
	[ -z "$why" ] || [ $ending -gt 0 ] || end_begin
done
wait "$pid"
status=$?
end_all
[ -z "$why" ] || { echo "ended: $why" >&2; exit 124; }
exit $status
