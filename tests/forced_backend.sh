#!/bin/sh
# SPDX-License-Identifier: MIT
#
# forced_backend.sh BACKEND test_processor PROGRAM [ARGUMENT...]
#
# Runs the program with the backend forced by the environment. Exits with 77, which CTest shows as
# skipped, where this processor lacks the backend.
set -eu
backend=$1
"$2" "=$backend" || exit $?
shift 2
AEADFAST_BACKEND=$backend exec "$@"
