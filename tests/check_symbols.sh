#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check_symbols.sh libaeadfast.a [prefix]
#
# What the archive shows to the linker: global symbols are the public functions or begin with
# aeadfast_, all of them behind the prefix where one is given; of writable data there are only the
# words of the dispatcher; no object has a constructor, thread-local data, or common symbols. What it
# wants from elsewhere allocates nothing, locks nothing and ends no program; and no kernel divides,
# which takes a time that depends on the numbers. NM and OBJDUMP name other tools, as for a cross build.
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: $0 libaeadfast.a [prefix]" >&2
    exit 2
fi
archive=$1
prefix=${2:-}
nm=${NM:-nm}
objdump=${OBJDUMP:-${nm%nm}objdump}
header=$(dirname "$0")/../include/aeadfast.h
failed=0

if [ ! -r "$archive" ]; then
    echo "$0: cannot read $archive" >&2
    exit 2
fi

complain() {
    echo "check_symbols: $1" >&2
    failed=1
}

# The public names: the functions whose names the header can change by AEADFAST_PREFIX. Every
# function that it declares must be among them, or two copies could not be linked together.
renamed=$(sed -e :a -e '/\\$/N' -e 's/ *\\\n */ /' -e ta "$header" |
    sed -n 's/^#define \([a-z][a-z0-9_]*\) *AEADFAST_RENAME(\1)$/\1/p' | sort)
declared=$(sed 's,//.*,,' "$header" | tr '\n' ' ' | sed 's,/\*[^*]*\*\**\([^/*][^*]*\*\**\)*/, ,g' |
    tr ';' '\n' | tr '{' '\n' | tr '}' '\n' |
    sed -n 's/^.*[ *]\([a-z][a-z0-9_]*\)(\([a-z].*\))[ ]*$/\1/p' | sort -u)
[ -n "$renamed" ] || complain "found no public names in $header"
if [ "$renamed" != "$declared" ]; then
    complain "the header declares other functions than it renames:"
    printf '%s\n' "$renamed" "$declared" | sort | uniq -u >&2
fi

# Every one that is handed buffers is in the table which most tests walk. The others only tell
# something, wipe, compare, or count nonces, and have tests of their own.
table=$(dirname "$0")/api_table.c
listed=$(sed -n 's/^ *{"\([a-z0-9_]*\)",.*/\1/p' "$table" | sort)
walked=$(printf '%s\n' "$renamed" | grep -v -e '^aeadfast_' -e '_wipe$')
if [ "$listed" != "$walked" ]; then
    complain "$table has other functions than the header:"
    printf '%s\n' "$listed" "$walked" | sort | uniq -u >&2
fi

# Lines "symbol class" of what the archive defines. Mach-O puts an underscore before every name.
symbols=$("$nm" -g "$archive" 2>/dev/null | awk 'NF == 3 { print $3, $2 }' |
    awk '$2 != "U" && $2 != "w" && $2 != "v"' | sort -u)
mach_o=
if printf '%s\n' "$symbols" | grep -q "^_${prefix}chacha20_poly1305_seal "; then
    symbols=$(printf '%s\n' "$symbols" | sed 's/^_//')
    mach_o=yes
fi
[ -n "$symbols" ] || complain "$nm shows no symbols of $archive"

names=$(printf '%s\n' "$symbols" | cut -d ' ' -f 1)
for name in $names; do
    case $name in
    "${prefix}"aeadfast_*) continue ;;
    # 32-bit x86 and Windows: the compiler's own, merged by the linker
    __x86.get_pc_thunk.* | .refptr.*) continue ;;
    esac
    case $name in
    "$prefix"*) ;;
    *)
        complain "$name does not begin with $prefix"
        continue
        ;;
    esac
    printf '%s\n' "$renamed" | grep -q -x -F -e "${name#"$prefix"}" ||
        complain "$name is global, but no public function"
done
for name in $renamed; do
    printf '%s\n' "$names" | grep -q -x -F -e "$prefix$name" || complain "$prefix$name is missing"
done

# Writable data, local and global: classes b d, g s (small data), C (common). Constants that hold
# addresses are of class d as well, but lie in a section that is read-only once they are relocated.
constants=$("$objdump" -t "$archive" 2>/dev/null |
    awk '$0 ~ /[ \t]\.data\.rel\.ro/ { print $NF }' | sort -u)
writable=$("$nm" "$archive" 2>/dev/null | awk -v small="${mach_o:+no}" '
    NF == 3 && ($2 ~ /^[bBdDC]$/ || small == "" && $2 ~ /^[gGsS]$/) { print $3 }' | sort -u)
for name in $writable; do
    case ${name#_} in
    .bss | .data) continue ;; # Windows: the sections themselves
    "${prefix}"aeadfast_choice | initial_choice | spec_problem | spec_problem_told | tuned) continue ;;
    esac
    printf '%s\n' "$constants" | grep -q -x -F -e "$name" || complain "$name is writable data"
done

# What SECURITY.md says that the library does not do, and by what name it would.
wanted=$("$nm" -u "$archive" 2>/dev/null | awk 'NF == 2 { print $2 }' | sort -u)
for name in $wanted; do
    case ${name#_} in
    malloc | calloc | realloc | aligned_alloc | posix_memalign | free | abort | exit | raise | \
        pthread_* | mtx_* | call_once | _assert* | assert_fail)
        complain "calls $name"
        ;;
    # Division of numbers wider than the processor's, or of any where it cannot divide.
    _*div?i[34] | _*mod?i[34] | _aeabi_*div*)
        complain "divides by $name"
        ;;
    esac
done

# Whatever runs before main, or in every thread.
if command -v "$objdump" >/dev/null 2>&1; then
    sections=$("$objdump" -h "$archive" 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { print $2 }' | sort -u)
    [ -n "$sections" ] || complain "$objdump shows no sections of $archive"
    for section in $sections; do
        case $section in
        .init_array* | .ctors* | .fini_array* | .dtors* | .preinit_array* | .init | .fini | \
            .tdata* | .tbss* | .CRT* | *mod_init_func*)
            complain "there is a section $section"
            ;;
        esac
    done

    # Two files divide, lengths by the size of a kernel's batch, and numbers of a test's text.
    dividing=$("$objdump" -d "$archive" 2>/dev/null | awk -F '\t' '
        /file format/ { split($1, file, ":"); lines++ }
        NF >= 3 { lines++; split($3, word, " ") }
        NF >= 3 && word[1] ~ /^(i?div[bwlqdu]*|div[dw]e?u?|v?div[ps][sd]|[us]div|fdiv|rem[uw]*|v(div|rem)u?[.]v[vx]|mod[su][dw]|d[rl]|dlg?r?|dsgf?r?)$/ {
            print file[1]
        }
        END { print lines + 0 }' | sort -u)
    [ "$(printf '%s\n' "$dividing" | grep -x '[0-9]*')" -gt 1000 ] || complain "$objdump shows no code"
    for file in $dividing; do
        case $file in
        [0-9]* | chacha20_poly1305_pieces.c.* | selftest.c.*) ;;
        *) complain "$file divides" ;;
        esac
    done
else
    echo "check_symbols: no $objdump, sections not looked at"
fi

if [ $failed -eq 0 ]; then
    printf 'check_symbols: %s global symbols, %s of them public\n' \
        "$(printf '%s\n' "$names" | grep -c .)" "$(printf '%s\n' "$renamed" | grep -c .)"
fi
exit $failed
