#!/bin/sh
# Runs a program with the first Python that is new enough. The one step that Python cannot do itself:
# a Mac's own python3 is 3.9, and a Debian of last year has only 3.11 under one of these names.
for name in ${SIDEKICKS_PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14; do
  if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
    exec "$name" "$@"
  fi
done
echo "Sidekicks needs Python 3.11 or newer, and found none." >&2
case $(uname) in
  Darwin) echo "Install it with: brew install python@3.13" >&2 ;;
  *) echo "Install it with: sudo apt-get install python3 python3-venv" >&2 ;;
esac
exit 1
