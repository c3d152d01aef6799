#!/usr/bin/env bash
# Runs a command with a Docker engine and an image registry of its own, on Debian 12, as root:
#
#   scripts/with-docker.sh <command…>
#
# The command finds them in DOCKER_HOST and OVERCAST_TEST_REGISTRY, and a static busybox to make
# images of in OVERCAST_TEST_BUSYBOX. Its exit code is the script's; nothing is left behind.
set -euo pipefail

REGISTRY=127.0.0.1:5000 # always free: the network is the script's own
START_SECONDS=60
STOP_SECONDS=20
POLICY=/usr/sbin/policy-rc.d # whether packages may start services

main() {
  (($# > 0)) || fail 'usage: scripts/with-docker.sh <command…>'
  ((EUID == 0)) || fail 'must be run as root'
  if [[ $1 != --inside ]]; then
    install_missing
    # Engines of one host share docker0 and its iptables rules, and each one that starts clears the
    # chains of the others. In a network namespace it has both to itself.
    exec unshare --net --mount --propagation slave -- "$BASH" "$0" --inside "$@"
  fi
  shift
  prepare
  start_engine
  start_registry
  run "$@"
}

fail() {
  echo "with-docker: $*" >&2
  exit 1
}

install_missing() (
  exec 9<"$0" # of scripts that run at the same time, one installs and the others wait
  flock 9
  missing=()
  command -v dockerd >/dev/null || missing+=(docker.io)
  command -v docker-registry >/dev/null || missing+=(docker-registry)
  dpkg -s busybox-static &>/dev/null || missing+=(busybox-static)
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}" >&2
)

install_packages() {
  if [[ ! -e $POLICY ]]; then
    trap 'rm -f "$POLICY"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$POLICY"
    chmod +x "$POLICY"
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq || true # a source that is out of reach need not be Debian's
  apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}

prepare() {
  command=''
  engine=''
  registry=''
  # Not in TMPDIR: paths of sockets are limited to 108 characters.
  folder=$(mktemp -d /tmp/overcast-docker.XXXXXX)
  cgroup=${folder##*/}
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  busybox=$(dpkg -L busybox-static | grep '/bin/busybox$')
  "$busybox" ip link set lo up
  unset DOCKER_CONTEXT DOCKER_CERT_PATH DOCKER_TLS_VERIFY
  export DOCKER_HOST="unix://$folder/docker.sock"
  export OVERCAST_TEST_REGISTRY=$REGISTRY
  export OVERCAST_TEST_BUSYBOX=$busybox
}

start_engine() {
  echo '{}' >"$folder/daemon.json" # the host's own settings do not apply
  start dockerd --config-file "$folder/daemon.json" --log-level warn \
    --data-root "$folder/data" --exec-root "$folder/exec" --pidfile "$folder/docker.pid" \
    --host "$DOCKER_HOST" --cgroup-parent "/$cgroup" --exec-opt native.cgroupdriver=cgroupfs
  engine=$!
  await dockerd "$engine" timeout 5 docker version
}

start_registry() {
  cat >"$folder/registry.yml" <<END
version: 0.1
log:
  level: error
  accesslog:
    disabled: true
storage:
  filesystem:
    rootdirectory: $folder/registry
http:
  addr: $REGISTRY
END
  start docker-registry serve "$folder/registry.yml"
  registry=$!
  await docker-registry "$registry" registry_listens
}

registry_listens() (exec 3<>"/dev/tcp/${REGISTRY/://}")

# In a session of its own, so that Ctrl-C does not stop it before its containers are removed; and
# told to stop should this script be killed.
start() {
  setsid setpriv --pdeathsig TERM "$@" >"$folder/$1.log" 2>&1 </dev/null &
}

await() {
  local name=$1 pid=$2 deadline=$((SECONDS + START_SECONDS))
  shift 2
  until "$@" &>/dev/null; do
    if ! kill -0 "$pid" 2>/dev/null || ((SECONDS >= deadline)); then
      tail -n 30 "$folder/$name.log" >&2
      fail "$name does not answer; the end of its log is above"
    fi
    sleep 0.1
  done
}

# Not in the foreground: bash would put off a signal until the command has ended. In a session of its
# own, so that its children can be stopped with it: npm, for one, does not tell them.
run() {
  setsid env --default-signal=INT,QUIT "$@" <&0 &
  command=$!
  wait "$command"
}

clean_up() {
  local code=$?
  trap '' HUP INT TERM
  set +e
  stop "$command"
  remove_containers
  stop "$engine"
  stop "$registry"
  kill_leftovers
  unmount_leftovers
  find /sys/fs/cgroup -depth -type d \( -name "$cgroup" -o -path "*/$cgroup/*" \) -exec rmdir {} +
  rm -rf --one-file-system "$folder"
  exit "$code"
}

stop() {
  local leader=$1 deadline=$((SECONDS + STOP_SECONDS))
  [[ -n $leader ]] || return
  signal TERM "$leader"
  while signal 0 "$leader" && ((SECONDS < deadline)); do sleep 0.1; done
  signal KILL "$leader"
  wait "$leader" 2>/dev/null
}

# To the whole session; it is not there yet when its leader has only just been forked.
signal() {
  kill -s "$1" -- "-$2" 2>/dev/null || kill -s "$1" "$2" 2>/dev/null
}

# Otherwise the engine would give each of them ten seconds to stop.
remove_containers() {
  local ids
  mapfile -t ids < <(timeout 5 docker ps --all --quiet 2>/dev/null)
  ((${#ids[@]} == 0)) || timeout "$STOP_SECONDS" docker rm --force --volumes "${ids[@]}" >/dev/null
}

# What an engine that had to be killed did not stop: containerd and its shims, which have the folder
# among their arguments, and what runs in the containers.
kill_leftovers() {
  grep -lsF "$folder/" /proc/[0-9]*/cmdline | grep -o '[0-9]*' |
    xargs --no-run-if-empty kill -KILL 2>/dev/null
  find /sys/fs/cgroup -path "*/$cgroup/*" -name cgroup.procs -exec cat {} + |
    sort -u | xargs --no-run-if-empty kill -KILL 2>/dev/null
}

unmount_leftovers() {
  local mounts
  mapfile -t mounts < <(cut -d ' ' -f 2 /proc/self/mounts | grep "^$folder/" | tac)
  ((${#mounts[@]} == 0)) || umount --lazy "${mounts[@]}"
}

main "$@"
