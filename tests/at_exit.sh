# For test scripts, sourced: at_exit FUNCTION has the function called once when the
# script ends, by itself or by HUP, INT or TERM, and after the processes that it
# started in the background have been ended. What it removes stays removed.
at_exit() {
	at_exit_function=$1
	trap at_exit_run EXIT
	trap 'at_exit_signal=HUP; exit 129' HUP
	trap 'at_exit_signal=INT; exit 130' INT
	trap 'at_exit_signal=TERM; exit 143' TERM
}

at_exit_signal=''   # the signal that ends the script; '' where none does
at_exit_run() {
	trap '' HUP INT TERM
	at_exit_pids=''
	# Read without a child of our own. The last line has no end.
	read -r at_exit_pids <"/proc/$$/task/$$/children" || :
	if [ -n "$at_exit_pids" ]; then
		# shellcheck disable=SC2086
		kill $at_exit_pids 2>/dev/null || :
		# shellcheck disable=SC2086
		wait $at_exit_pids 2>/dev/null || :
	fi
	"$at_exit_function"
}
