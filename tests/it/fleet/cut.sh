#!/bin/sh
# Cuts the network between a worker and PostgreSQL, as root on Linux, with a network namespace for
# PostgreSQL. Fails unless the worker ends, and only then PostgreSQL gives up its connections, in
# which the leases are. It takes the program of the worker: cut.sh target/debug/worker
set -eu

worker=$(realpath "$1")
folder=$(mktemp -d)
postgres=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
chown postgres "$folder"

inside() { ip netns exec fleet-cut "$@"; }
as_postgres() { inside su postgres -s /bin/sh -c "$*"; }
end() {
    kill "$queue" "$work" 2>/dev/null || true
    as_postgres "$postgres/pg_ctl -D $folder/data -m immediate stop" >/dev/null || true
    ip link delete fleet-a 2>/dev/null || true
    ip netns delete fleet-cut
    rm -rf "$folder"
}

ip netns add fleet-cut
queue= work=
trap end EXIT
ip link add fleet-a type veth peer name fleet-b netns fleet-cut
ip address add 10.77.0.1/24 dev fleet-a
ip link set fleet-a up
inside ip address add 10.77.0.2/24 dev fleet-b
inside ip link set fleet-b up

as_postgres "$postgres/initdb -D $folder/data -A trust" >/dev/null
echo 'host all all 10.77.0.0/24 trust' >>"$folder/data/pg_hba.conf"
options="-c listen_addresses=10.77.0.2 -c unix_socket_directories=$folder"
as_postgres "$postgres/pg_ctl -D $folder/data -o '$options' -w -l $folder/log start" >/dev/null
nats-server -js -a 127.0.0.1 -p 4777 -sd "$folder/queue" >"$folder/nats" 2>&1 &
queue=$!

connections() {
    psql -h "$folder" -U postgres -Atc \
        "SELECT count(*) FROM pg_stat_activity WHERE client_addr = '10.77.0.1'"
}
until grep -q 'Server is ready' "$folder/nats"; do sleep 0.1; done
mkdir "$folder/project"
env -i PATH="$PATH" HOME="$folder" NATS_URL=nats://127.0.0.1:4777 FLEET_FOLDER="$folder/project" \
    DATABASE_URL='host=10.77.0.2 user=postgres dbname=postgres' "$worker" 2>/dev/null &
work=$!
# One for the leases, and one for the transcripts.
until [ "$(connections)" = 2 ]; do sleep 0.1; done

inside ip link set fleet-b down
begin=$(date +%s)
passed() { echo $(($(date +%s) - begin)); }
while kill -0 "$work" 2>/dev/null; do
    # That for transcripts may end before.
    [ "$(connections)" -ge 1 ] || { echo 'the leases ended before the worker'; exit 1; }
    sleep 0.2
done
echo "the worker has ended after $(passed) s"
until [ "$(connections)" = 0 ]; do
    [ "$(passed)" -lt 60 ] || { echo 'PostgreSQL keeps the leases'; exit 1; }
    sleep 0.2
done
echo "PostgreSQL has given up its leases after $(passed) s"
