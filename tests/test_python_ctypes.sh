#!/bin/sh
# SPDX-License-Identifier: MIT
# test_python_ctypes.sh libaeadfast.a: the archive as a shared library, called from Python. CC names
# the compiler.
set -eu
command -v python3 >/dev/null 2>&1 || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -shared -o "$work/libaeadfast.so" -Wl,--whole-archive "$1" -Wl,--no-whole-archive
PYTHONDONTWRITEBYTECODE=1 python3 "$(dirname "$0")/../examples/python_ctypes.py" "$work/libaeadfast.so"
