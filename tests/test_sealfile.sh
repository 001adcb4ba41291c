#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# test_sealfile.sh SEALFILE: what the example seals, it opens; what anyone changed, it refuses, with
# the right status and a message, and without a trace of output.
set -u
export LC_ALL=C

[ $# -eq 1 ] || { echo "usage: $0 SEALFILE" >&2; exit 2; }
sealfile=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -x "$sealfile" ] || { echo "$0: $1: not a program" >&2; exit 2; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/out" # for outputs alone, so that whatever is left there is seen
cd "$dir" || exit 2

HEADER=32
CHUNK=65536
SEALED=$((CHUNK + 16))
failures=0
checks=0

fail() {
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# same A B WHAT
same() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || fail "$3: $1 and $2 differ"
}

# done_well WHAT COMMAND...: status 0 and nothing on stderr
done_well() {
    local what=$1 status
    shift
    checks=$((checks + 1))
    "$@" 2>err
    status=$?
    [ $status -eq 0 ] || fail "$what: status $status: $(cat err)"
    [ -s err ] && fail "$what: said: $(cat err)"
}

# fails STATUS TEXT WHAT COMMAND...: this status, one line on stderr with the text, nothing in out/
fails() {
    local want=$1 text=$2 what=$3 status
    shift 3
    checks=$((checks + 1))
    "$@" 2>err >/dev/null
    status=$?
    [ $status -eq "$want" ] || fail "$what: status $status, not $want: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: not one line: $(cat err)"
    grep -q -e "^sealfile: .*$text" err || fail "$what: '$(cat err)' lacks '$text'"
    [ -z "$(ls -A out)" ] || { fail "$what: left $(ls -A out)"; rm -f out/* out/.[!.]*; }
}

# refused TEXT WHAT FILE [KEY]: opening it is, to a file
refused() {
    fails 3 "$1" "$2" "$sealfile" open "${4:-key}" "$3" out/text
}

size_of() {
    wc -c <"$1" | tr -d ' '
}

# part FILE OFFSET LENGTH
part() {
    tail -c "+$(($2 + 1))" "$1" | head -c "$3"
}

# flip FILE OFFSET BIT >COPY
flip() {
    local byte
    byte=$(part "$1" "$2" 1 | od -An -tu1 | tr -d ' ')
    head -c "$2" "$1"
    # shellcheck disable=SC2059 # the octal number is the format
    printf "\\$(printf %03o $((byte ^ (1 << $3))))"
    tail -c "+$(($2 + 2))" "$1"
}

# ---- Keys

"$sealfile" keygen key || fail "keygen"
"$sealfile" keygen other || fail "keygen"
cp key key.copy
[ "$(size_of key)" -eq 32 ] || fail "a key of $(size_of key) bytes"
cmp -s key other && fail "two keys are the same"
case $(ls -l key) in
-rw-------*) ;;
*) fail "the key can be read by others: $(ls -l key)" ;;
esac
fails 1 "key: File exists" "keygen over a key" "$sealfile" keygen key
same key key.copy "keygen over a key"
fails 1 "No such file" "keygen in no folder" "$sealfile" keygen nowhere/key

echo text >text
head -c 31 key >short
{ cat key; printf x; } >long
: >empty
for k in short long empty; do
    fails 1 "$k: not a key file" "$k key" "$sealfile" seal $k text out/sealed
done
fails 1 "missing: No such file" "no key" "$sealfile" seal missing text out/sealed

# ---- Round trips

head -c 10000000 /dev/urandom >random
for option in "" --xchacha20-poly1305 --aes-256-gcm; do
    for size in 0 1 65535 65536 65537 131072 10000000; do
        what="$size bytes $option"
        head -c $size random >text
        # shellcheck disable=SC2086 # no option is no word
        done_well "seal $what" "$sealfile" $option seal key text sealed
        done_well "open $what" "$sealfile" $option open key sealed out/text
        same text out/text "$what"
        rm out/text
        # Whatever the number of chunks, an empty text has one.
        chunks=$((size == 0 ? 1 : (size + CHUNK - 1) / CHUNK))
        checks=$((checks + 1))
        [ "$(size_of sealed)" -eq $((HEADER + size + 16 * chunks)) ] ||
            fail "$what: sealed $(size_of sealed)"
        # shellcheck disable=SC2086,SC2002 # pipes on both sides are the point
        cat text | "$sealfile" $option seal key - - | cat |
            "$sealfile" open key - - | cat >piped
        same text piped "$what through pipes"
    done
done

head -c 200000 random >text # three whole chunks and a part
"$sealfile" seal key text sealed
"$sealfile" seal key text again
tail -c "+$((HEADER + 1))" sealed >first
tail -c "+$((HEADER + 1))" again >second
cmp -s first second && fail "sealing twice gives the same"
"$sealfile" --aes-256-gcm seal key text sealed.aes

# ---- Known answers, worked out from sealfile_format.h with another implementation of the ciphers

# known ALGORITHM HEX
known() {
    { printf 'sealfile\1%b\20\0\0\0abcdefghijklmnopqr' "\\0$1"
      # shellcheck disable=SC2059,SC2001 # the escapes are the format
      printf "$(echo "$2" | sed 's/../\\x&/g')"; } >known.sealed
    done_well "known answer $1" "$sealfile" open known.key known.sealed out/text
    same known.text out/text "known answer $1"
    rm -f out/text
}

printf '%s' 'ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`' >known.key
echo hello >known.text
known 1 b2125212ca8d15279a37d22ef94d7d3e631ec7f2dfc7
known 2 8f765e71e8b823cdb9da2da45cd0eadf00fe59da0642

# ---- Changes

for f in sealed sealed.aes; do
    for ((i = 0; i < HEADER; i++)); do
        flip $f "$i" $((i % 8)) >changed
        refused "changed: " "$f: header byte $i" changed
    done
    n=$(size_of $f)
    for i in $HEADER $((HEADER + CHUNK - 1)) $((HEADER + CHUNK)) $((HEADER + SEALED - 1)) \
        $((HEADER + SEALED)) $((HEADER + 2 * SEALED + 77)) $((n - 17)) $((n - 16)) $((n - 1)); do
        flip $f "$i" $((i % 8)) >changed
        refused "refused at chunk $(((i - HEADER) / SEALED + 1)): " "$f: byte $i" changed
    done

    for i in 1 8 $((HEADER - 1)); do
        head -c $i $f >changed
        refused "too short" "$f: cut to $i" changed
    done
    : >changed
    refused "too short" "$f: cut to nothing" changed
    for i in 0 1 2 3; do # at the end of chunk i
        cut=$((HEADER + i * SEALED))
        head -c $cut $f >changed
        refused "cut short" "$f: cut at $cut" changed
        for more in 1 15 16 17 3000; do
            head -c $((cut + more)) $f >changed
            refused "refused at chunk $((i + 1)): " "$f: cut at $((cut + more))" changed
        done
    done
    head -c $((n - 1)) $f >changed
    refused "refused at chunk 4: " "$f: last byte gone" changed

    { head -c $HEADER $f; part $f $((HEADER + SEALED)) $SEALED; part $f $HEADER $SEALED
      tail -c "+$((HEADER + 2 * SEALED + 1))" $f; } >changed
    [ "$(size_of changed)" -eq "$n" ] || fail "the test's own swap"
    refused "refused at chunk 1: " "$f: chunks swapped" changed
    { head -c $((HEADER + SEALED)) $f; tail -c "+$((HEADER + 1))" $f; } >changed
    refused "refused at chunk 2: " "$f: chunk doubled" changed
    { head -c $((HEADER + SEALED)) $f; tail -c "+$((HEADER + 2 * SEALED + 1))" $f; } >changed
    refused "refused at chunk 2: " "$f: chunk left out" changed
    { head -c $HEADER $f; tail -c "+$((HEADER + 3 * SEALED + 1))" $f; } >changed
    refused "refused at chunk 1: " "$f: last chunk alone" changed

    { cat $f; printf x; } >changed
    refused "refused at chunk 4: " "$f: a byte behind it" changed
    cat $f $f >changed
    refused "refused at chunk 4: " "$f: twice" changed
    { cat $f; part $f $((HEADER + 3 * SEALED)) $SEALED; } >changed
    refused "refused at chunk 4: " "$f: last chunk twice" changed
    refused "refused at chunk 1: .*under another key" "$f: another key" $f other
done

# Where the last chunk is full, what is behind it can be told from a change; and chunks of one file
# do not go into another, not even in the same place.
head -c 131072 random >text
for option in --xchacha20-poly1305 --aes-256-gcm; do
    "$sealfile" $option seal key text full
    "$sealfile" $option seal key text full2
    { cat full; printf x; } >changed
    refused "refused at chunk 2: something has been put behind its end" "full: a byte more" changed
    cat full full2 >changed
    refused "refused at chunk 2: something has been put behind its end" "full: joined" changed
    { head -c $((HEADER + SEALED)) full; part full2 $((HEADER + SEALED)) $SEALED; } >changed
    refused "refused at chunk 2: it has been changed" "full: chunk of another" changed
    { head -c $HEADER full2; tail -c "+$((HEADER + 1))" full; } >changed
    refused "refused at chunk 1: " "full: header of another" changed
    : >nothing
    "$sealfile" $option seal key nothing none
    cat none none >changed
    refused "refused at chunk 1: " "empty: joined" changed
    head -c $HEADER none >changed
    refused "refused at chunk 1: it has been cut short" "empty: no chunk" changed
done

# ---- The other algorithm, asked for or written into the header

fails 3 "sealed.aes: sealed with the other algorithm" "other algorithm asked for" \
    "$sealfile" --xchacha20-poly1305 open key sealed.aes out/text
fails 3 "sealed: sealed with the other algorithm" "other algorithm asked for" \
    "$sealfile" --aes-256-gcm open key sealed out/text
{ head -c 9 sealed; printf '\002'; tail -c +11 sealed; } >changed
refused "refused at chunk 1: " "XChaCha20-Poly1305 called AES-256-GCM" changed
{ head -c 9 sealed.aes; printf '\001'; tail -c +11 sealed.aes; } >changed
refused "refused at chunk 1: " "AES-256-GCM called XChaCha20-Poly1305" changed
refused "not a sealed file" "any file" random

# ---- Standard output: what comes is checked, and the status tells that more is missing

head -c 200000 random >text
head -c $((HEADER + 2 * SEALED)) sealed >changed
"$sealfile" open key changed - >piped 2>err
status=$?
[ $status -eq 3 ] || fail "cut, to standard output: status $status"
grep -q 'refused at chunk 2: it has been cut short' err || fail "cut: $(cat err)"
head -c 65536 text >start
same piped start "cut, to standard output"
flip sealed $HEADER 0 >changed
"$sealfile" open key changed - >piped 2>err && fail "changed, to standard output"
[ -s piped ] && fail "changed, to standard output: wrote $(size_of piped) bytes"

# ---- An older file stays until the new one is whole; links are followed

mkdir old
cp random old/text
fails 3 "refused" "over an older file" "$sealfile" open key changed old/text
same random old/text "over an older file"
[ "$(ls -A old)" = text ] || fail "left beside an older file: $(ls -A old)"
done_well "replace" "$sealfile" open key sealed old/text
same text old/text "replace"
ln -s text old/link
done_well "through a link" "$sealfile" seal key random old/link
[ -L old/link ] || fail "the link was replaced"
done_well "open through a link" "$sealfile" open key old/link old/random
same random old/random "through a link"

# ---- Files that are the same, or no files

cp sealed in
fails 1 "in: that is the input file" "in place" "$sealfile" open key in in
ln in in.link
fails 1 "in.link: that is the input file" "in place by another name" "$sealfile" open key in in.link
fails 1 "key: that is the key file" "over the key" "$sealfile" seal key text key
same key key.copy "over the key"
same in sealed "in place"
# shellcheck disable=SC2094 # the point
"$sealfile" seal key - - <in >>in 2>err && fail "onto the end of the input"
same in sealed "onto the end of the input"
fails 1 "out: Is a directory" "over a folder" "$sealfile" seal key text out
fails 1 "/dev/null: not a regular file" "over a device" "$sealfile" seal key text /dev/null
fails 1 "missing: No such file" "no input" "$sealfile" seal key missing out/sealed
fails 1 "nowhere/sealed: No such file" "no such folder" "$sealfile" seal key text nowhere/sealed
fails 1 "out: Is a directory" "folder as input" "$sealfile" seal key out out/sealed

# ---- No room

if [ -w /dev/full ]; then
    "$sealfile" seal key random - 2>err >/dev/full
    status=$?
    [ $status -eq 1 ] || fail "/dev/full: status $status"
    grep -q 'standard output: No space left' err || fail "/dev/full: $(cat err)"
fi
with_little_room() {
    (ulimit -f 200 && exec "$@") # in units of 512 or 1024 bytes
}
fails 1 "out/sealed: File too large" "no room" with_little_room "$sealfile" seal key random out/sealed
"$sealfile" seal key random big
fails 1 "out/text: File too large" "no room" with_little_room "$sealfile" open key big out/text

# ---- Signals, while it waits for input that does not come

set -m # or else the shell has background programs ignore SIGINT
mkfifo slow
for signal in INT TERM HUP; do
    checks=$((checks + 1))
    "$sealfile" seal key slow out/sealed &
    pid=$!
    exec 3>slow
    head -c 100000 random >&3
    for ((i = 0; i < 100; i++)); do # until it has begun
        [ -n "$(ls -A out)" ] && break
        sleep 0.05
    done
    [ -n "$(ls -A out)" ] || fail "SIG$signal: nothing was begun"
    kill -s $signal $pid
    wait $pid 2>/dev/null
    status=$?
    exec 3>&-
    [ $status -gt 128 ] || fail "SIG$signal: status $status"
    [ -z "$(ls -A out)" ] || { fail "SIG$signal: left $(ls -A out)"; rm -f out/* out/.[!.]*; }
done
set +m

# ---- Command line

"$sealfile" --help | grep -q '^usage: ' || fail "--help"
for words in "" "frobnicate" "seal key text" "keygen" "keygen a b" "open key a b c d" \
    "--fast seal key text out/sealed" "keygen -"; do
    # shellcheck disable=SC2086 # words, not one word
    fails 2 "" "misuse: $words" "$sealfile" $words
done
"$sealfile" -v seal key random sealed 2>err || fail "--verbose"
grep -q 'MB/s, XChaCha20-Poly1305, kernel [a-z]' err || fail "--verbose: $(cat err)"
"$sealfile" seal --verbose --aes-256-gcm key random sealed 2>err || fail "--verbose"
grep -q 'MB/s, AES-256-GCM, kernel [a-z]' err || fail "--verbose: $(cat err)"
cp text ./-v
done_well "a name like an option" "$sealfile" seal -- key -v sealed
done_well "a name like an option" "$sealfile" open key sealed out/text
same ./-v out/text "a name like an option"
rm out/text

# ---- A forced backend that cannot be had

checks=$((checks + 1))
AEADFAST_BACKEND=nonesuch "$sealfile" seal key text out/sealed 2>err
status=$?
[ $status -eq 1 ] || fail "AEADFAST_BACKEND=nonesuch: status $status"
[ -z "$(ls -A out)" ] || fail "AEADFAST_BACKEND=nonesuch: left $(ls -A out)"

if [ $failures -ne 0 ]; then
    echo "test_sealfile: $failures failures in $checks checks" >&2
    exit 1
fi
echo "test_sealfile: $checks checks passed"
