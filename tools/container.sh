#!/bin/sh
# The command of a container (Dockerfile): waits for `octavo init`, then runs everything until TERM.
# If one of the two processes ends, the other is ended too, and the container's restart policy
# decides.
set -u
: "${OCTAVO_DIR:=/data}"
up='' web=''
stop() { kill $up $web 2>/dev/null; }
trap 'stop; wait; exit 0' TERM INT
# octavo.begun is there while init works, or where it has to be repeated.
ready() { [ -e "$OCTAVO_DIR/octavo.db" ] && [ ! -e "$OCTAVO_DIR/octavo.begun" ]; }
ready || echo "waiting for: octavo init --dir $OCTAVO_DIR --email … --name … --org …"
until ready; do sleep 1 & wait $!; done
octavo migrate --dir "$OCTAVO_DIR" || exit 1
octavo up --dir "$OCTAVO_DIR" --port 8081 --foreground &
up=$!
nginx -c /usr/share/octavo/nginx/container.conf &
web=$!
while kill -0 $up 2>/dev/null && kill -0 $web 2>/dev/null; do sleep 1 & wait $!; done
stop
wait
exit 1
