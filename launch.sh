#!/usr/bin/env bash
# Finds Node.js 20 or newer and becomes it, so that the runner's signals arrive there. The environment, secrets
# included, goes through descriptor 3: in the environment of a living process every process of the same user could read it.
set -euo pipefail

major() {
  local version
  version="$("$1" --version 2>/dev/null)" || version=v0
  version="${version#v}"
  echo "${version%%.*}"
}

find_node() {
  local candidate
  candidate="$(command -v node || true)"
  if [ -n "$candidate" ] && [ "$(major "$candidate")" -ge 20 ]; then
    echo "$candidate"
    return
  fi
  # A project may have put an old Node.js on PATH: take the newest of the runner's own.
  printf '%s\n' "${RUNNER_TOOL_CACHE:-/nonexistent}"/node/*/*/bin/node | sort -rV | while read -r candidate; do
    if [ -x "$candidate" ] && [ "$(major "$candidate")" -ge 20 ]; then
      echo "$candidate"
      return
    fi
  done
}

node="$(find_node)"
if [ -z "$node" ]; then
  echo "::error::ralph-action needs Node.js 20 or newer, and there is none on PATH or in the tool cache. Put a step with actions/setup-node before it."
  exit 1
fi

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
exec env -i \
  PATH="$PATH" \
  HOME="${HOME:-}" \
  RALPH_ENVIRONMENT=3 \
  ${RUNNER_TRACKING_ID:+RUNNER_TRACKING_ID="$RUNNER_TRACKING_ID"} \
  ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} \
  "$node" "$here/dist/ralph/index.js" "$@" 3< <(exec env -0)
