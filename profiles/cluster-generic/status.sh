#!/usr/bin/env bash
# Prints what has become of a batch job in the three words that Snakemake reads: running, success or failed.
#   status.sh JOB
set -euo pipefail

# Snakemake gives up if this fails, so that a scheduler which does not answer for a while has to read as no news.
if ! state=$(squeue --noheader --states=all --format=%T --jobs="$1" 2>&1); then
  case $state in
    *"Invalid job id"*) state= ;;
    *) state=UNKNOWN ;;
  esac
fi
case $state in
  COMPLETED) echo success ;;
  "" | BOOT_FAIL | CANCELLED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT)
    echo failed
    ;;
  *) echo running ;;
esac
