#!/usr/bin/env bash
# A Slurm of one node on the loopback interface, for tests: no systemd, no cgroups, no accounting database.
#
#   one_node_slurm.sh start FOLDER   configuration, state, logs and process ids go into FOLDER
#   one_node_slurm.sh node FOLDER    the node's daemon again, after it was killed
#   one_node_slurm.sh stop FOLDER    ends the daemons started in FOLDER, and no others
#
# Needs root and the programs of Slurm and MUNGE, and writes /etc/slurm/slurm.conf, the one place where jobs look: it
# refuses if that is there. CPUS and MEMORY_MB are what Slurm believes the node to have.
set -euo pipefail

command=${1:?start, node or stop}
folder=$(realpath -m "${2:?a folder}")
cpus=${CPUS:-4}
memory=${MEMORY_MB:-$(awk '/^MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)}
port=${PORT:-26900}
installed=/etc/slurm/slurm.conf
host=$(hostname -s)
socket=$folder/munge/socket

fail() { echo "one_node_slurm.sh: $*" >&2; exit 1; }

await() {  # what it is, seconds, a command
  local what=$1 end=$((SECONDS + $2))
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "waited in vain for $what; see the logs in $folder"
    sleep 0.2
  done
}

credentials_work() { munge -n -S "$socket" | unmunge -S "$socket"; }
controller_answers() { scontrol ping | grep -q UP; }
ended() { [ -z "$(tr -d '\0' <"/proc/$1/cmdline")" ]; }  # a process that is gone has none, nor has one not yet reaped
no_jobs() { [ -z "$(squeue -h)" ]; }
node_is_ready() { sinfo -h -o %T | grep -qxE 'idle|mixed|allocated'; }

configure() {
  cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A job that goes back into the queue waits for its credential to run out.
AuthInfo=socket=$socket,cred_expire=20
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
# Without cgroups it is the accounting poll, once a second, that ends what exceeds its memory.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2,bf_interval=2
MpiDefault=none
# A node that does not answer for so long is down; as soon as it registers again, it is up.
SlurmdTimeout=10
ReturnToService=2
KillWait=2
MinJobAge=600
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=1-00:00:00 State=UP
CONF
}

start() {
  [ ! -e "$installed" ] || fail "$installed is there: a Slurm is configured on this machine"
  mkdir -p "$folder/state" "$folder/spool" "$(dirname "$installed")"
  # MUNGE runs as its own user and wants folders which nobody else can write.
  install -d -o munge -g munge -m 0755 "$folder/munge"
  install -o munge -g munge -m 0400 <(head -c 128 /dev/urandom) "$folder/munge/key"
  configure >"$folder/slurm.conf"
  ln -sfn "$folder/slurm.conf" "$installed"
  setpriv --reuid munge --regid munge --clear-groups munged --key-file "$folder/munge/key" --socket "$socket" \
    --pid-file "$folder/munge/munged.pid" --log-file "$folder/munge/log" --seed-file "$folder/munge/seed"
  await MUNGE 10 credentials_work
  slurmctld
  await slurmctld 20 controller_answers
  node
}

node() {
  slurmd -N "$host"
  await "the node" 60 node_is_ready
}

stop() {
  local daemon id
  if controller_answers; then
    scancel --partition main
    (await "the end of jobs" 20 no_jobs) || true
  fi
  for daemon in slurmd slurmctld munge/munged; do
    id=$(cat "$folder/$daemon.pid" 2>/dev/null) || continue
    kill "$id" 2>/dev/null || continue
    await "the end of $daemon" 30 ended "$id"
  done
  if [ "$(readlink "$installed")" = "$folder/slurm.conf" ]; then
    rm "$installed"
  fi
}

case $command in
  start | node | stop) "$command" ;;
  *) fail "'$command' is neither start, node nor stop" ;;
esac
