#!/usr/bin/env bash
# Computes features on two Spark workers in two network namespaces, trains from their shards and on one machine, and
# compares the two models. One task is killed on its first attempt.
#
#   demo.sh CUPOLA PHOTOS
#
# CUPOLA is the command, and PHOTOS a folder with one folder per building, or with split.csv. PARTS is the number of
# shards (default: 5), PYTHON an interpreter with pyspark (default: python3). KEEP=1 keeps models, shards and logs.
#
# Requires Linux, root, iproute2 (ip), Java 17, and in a virtual environment: pip install -r requirements.txt
# Exit codes: 0 if the models are identical, 1 if they differ or a step failed, 64 for wrong usage.
set -euo pipefail

die() { echo "demo: $2" >&2; exit "$1"; }

[ $# = 2 ] || die 64 "usage: demo.sh CUPOLA PHOTOS"
[ "$(id -u)" = 0 ] || die 64 "network namespaces require root; run as root"
for tool in ip java sha256sum; do command -v "$tool" > /dev/null || die 64 "$tool is missing"; done
[ -x "$1" ] && [ -f "$1" ] || die 64 "$1: not a program"
[ -d "$2" ] || die 64 "$2: not a folder"
cupola=$(realpath "$1")
photos=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
parts=${PARTS:-5}
python=$(command -v "${PYTHON:-python3}") || die 64 "${PYTHON:-python3} is missing"
# Do not follow the link of a virtual environment's python.
python=$(realpath --no-symlinks "$python")
spark=$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))') ||
  die 64 "$python: pyspark is missing; run pip install -r requirements.txt"

work=$(mktemp -d)
# Separate namespaces, so that addresses cannot collide with the machine's.
one=cupola-one-$$ two=cupola-two-$$
host1=10.77.0.1 host2=10.77.0.2
done=

cleanup() {
  trap - EXIT INT TERM
  for space in "$one" "$two"; do
    [ -e "/run/netns/$space" ] || continue
    # All processes in the namespace were started by this script.
    for signal in TERM KILL; do
      for _ in 1 2 3 4 5 6 7 8 9 10; do
        pids=$(ip netns pids "$space")
        [ -n "$pids" ] || break
        kill -s "$signal" $pids 2> /dev/null || true
        sleep 0.3
      done
    done
    ip netns delete "$space"
  done
  if [ -z "$done" ] && [ -d "$work/logs" ]; then tail -n 15 "$work"/logs/* >&2; fi
  if [ -n "${KEEP:-}" ]; then echo "kept: $work"; else rm -rf "$work"; fi
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# inside NAMESPACE ADDRESS COMMAND...
inside() {
  local space=$1 address=$2
  shift 2
  ip netns exec "$space" env SPARK_HOME="$spark" SPARK_LOCAL_IP="$address" SPARK_LOCAL_DIRS="$work/local" \
    SPARK_CONF_DIR="$work/conf" SPARK_DAEMON_MEMORY=512m PYSPARK_PYTHON="$python" PYSPARK_DRIVER_PYTHON="$python" "$@"
}

# await SECONDS COMMAND...
await() {
  local left=$(($1 * 5))
  shift
  until "$@"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 0.2
  done
}

mkdir "$work/logs" "$work/local" "$work/conf" "$work/shards"

echo "== listing"
if [ -f "$photos/split.csv" ]; then
  cp "$photos/split.csv" "$work/listing.csv"
else
  "$python" - "$photos" "$work/listing.csv" << 'PYTHON'
import csv, sys
from pathlib import Path
root = Path(sys.argv[1])
names = sorted(path.relative_to(root) for path in root.glob("*/**/*") if path.suffix.lower() in (".jpg", ".jpeg"))
rows = [(name.as_posix(), name.parts[0], "train") for name in names if not any(part[0] == "." for part in name.parts)]
with open(sys.argv[2], "w", encoding="utf-8", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows([("path", "label", "split"), *rows])
PYTHON
fi
echo "$(($(wc -l < "$work/listing.csv") - 1)) photos"

echo "== fit the feature parameters"
"$cupola" features "$photos" --split "$work/listing.csv" --allow-outside --mixture "$work/mixture.safetensors" \
  --no-cache --quiet

echo "== start two network namespaces, one master, two workers"
ip netns add "$one"
ip netns add "$two"
ip link add name veth netns "$one" type veth peer name veth netns "$two"
ip -n "$one" address add "$host1/30" dev veth
ip -n "$two" address add "$host2/30" dev veth
for space in "$one" "$two"; do
  ip -n "$space" link set lo up
  ip -n "$space" link set veth up
done
master=spark://$host1:7077
inside "$one" "$host1" "$spark/bin/spark-class" org.apache.spark.deploy.master.Master \
  --host "$host1" --port 7077 --webui-port 8080 > "$work/logs/master" 2>&1 &
await 60 grep -qs "New state: ALIVE" "$work/logs/master" || die 1 "the master did not start"
inside "$one" "$host1" "$spark/bin/spark-class" org.apache.spark.deploy.worker.Worker \
  --host "$host1" --cores 1 --memory 1g --work-dir "$work/one" "$master" > "$work/logs/worker-one" 2>&1 &
inside "$two" "$host2" "$spark/bin/spark-class" org.apache.spark.deploy.worker.Worker \
  --host "$host2" --cores 1 --memory 1g --work-dir "$work/two" "$master" > "$work/logs/worker-two" 2>&1 &
for worker in one two; do
  await 60 grep -qs "Successfully registered with master" "$work/logs/worker-$worker" ||
    die 1 "worker $worker did not start"
done

# For this demo only: a command that dies in the middle of its work on the first attempt at the second part.
cat > "$work/cupola" << EOF
#!/bin/sh
case "\$*" in
*-00001-of-*)
  if mkdir "$work/killed" 2> /dev/null; then
    "$cupola" "\$@" &
    sleep 0.3
    kill -KILL \$! \$\$
  fi ;;
esac
exec "$cupola" "\$@"
EOF
chmod +x "$work/cupola"

echo "== compute $parts shards"
inside "$one" "$host1" "$spark/bin/spark-submit" --master "$master" --driver-memory 512m \
  --conf spark.driver.host="$host1" --conf spark.driver.bindAddress="$host1" --conf spark.ui.enabled=false \
  --conf spark.cores.max=2 --conf spark.executor.cores=1 --conf spark.executor.memory=512m \
  --conf spark.scheduler.minRegisteredResourcesRatio=1 --conf spark.scheduler.maxRegisteredResourcesWaitingTime=60s \
  "$here/cupola_features.py" --listing "$work/listing.csv" --root "$photos" --mixture "$work/mixture.safetensors" \
  --output "$work/shards" --partitions "$parts" --cupola "$work/cupola" 2> "$work/logs/job" | tee "$work/told"
grep -q "  $host1  " "$work/told" && grep -q "  $host2  " "$work/told" || die 1 "one worker was idle"
grep -q "  attempt 2$" "$work/told" || die 1 "no task was killed and retried"

echo "== train from the shards"
"$cupola" train --features "$work/shards" --no-cache --quiet -o "$work/shards.safetensors"
echo "== train on one machine"
"$cupola" train "$photos" --split "$work/listing.csv" --allow-outside --no-cache --quiet -o "$work/one.safetensors"

echo "== SHA-256"
done=1
cd "$work"
sha256sum shards.safetensors one.safetensors
cmp shards.safetensors one.safetensors || die 1 "the models differ"
echo "the models are identical"
