#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls the library from Python without any glue: python_ctypes.py LIBRARY

The interface is plain C, so ctypes will do. It wants a shared library, which the archive becomes by
    cc -shared -o libaeadfast.so -Wl,--whole-archive libaeadfast.a -Wl,--no-whole-archive
"""
import ctypes
import os
import sys

OK, ERR_AUTH = 0, -1
TAG_BYTES = 16


class Aeadfast:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        pointer, size = ctypes.c_char_p, ctypes.c_size_t
        self.lib.chacha20_poly1305_seal.argtypes = [
            pointer, pointer, pointer, size, pointer, size, pointer, pointer]
        self.lib.chacha20_poly1305_open.argtypes = [
            pointer, pointer, size, pointer, pointer, size, pointer, pointer]
        self.lib.aeadfast_strerror.argtypes = [ctypes.c_int]
        self.lib.aeadfast_strerror.restype = pointer
        self.lib.aeadfast_version.restype = pointer
        self.lib.aeadfast_kernel_name.argtypes = [ctypes.c_int, size]
        self.lib.aeadfast_kernel_name.restype = pointer

    def _check(self, result):
        if result != OK:
            raise ValueError(self.lib.aeadfast_strerror(result).decode())

    def seal(self, text, aad, nonce, key):
        """The ciphertext with the tag behind it."""
        ct = ctypes.create_string_buffer(len(text))
        tag = ctypes.create_string_buffer(TAG_BYTES)
        self._check(self.lib.chacha20_poly1305_seal(
            ct, tag, text, len(text), aad, len(aad), nonce, key))
        return ct.raw + tag.raw

    def open(self, sealed, aad, nonce, key):
        """The text, or None where it was forged."""
        if len(sealed) < TAG_BYTES:
            return None
        ct, tag = sealed[:-TAG_BYTES], sealed[-TAG_BYTES:]
        text = ctypes.create_string_buffer(len(ct))
        result = self.lib.chacha20_poly1305_open(
            text, ct, len(ct), tag, aad, len(aad), nonce, key)
        if result == ERR_AUTH:
            return None
        self._check(result)
        return text.raw


def main():
    aead = Aeadfast(sys.argv[1])
    key, nonce = os.urandom(32), os.urandom(12)
    text, aad = b"from Python", b"to whom it may concern"

    sealed = aead.seal(text, aad, nonce, key)
    assert aead.open(sealed, aad, nonce, key) == text
    forged = bytes([sealed[0] ^ 1]) + sealed[1:]
    assert aead.open(forged, aad, nonce, key) is None
    assert aead.open(sealed, b"", nonce, key) is None
    assert aead.open(aead.seal(b"", b"", nonce, key), b"", nonce, key) == b""
    print("aeadfast", aead.lib.aeadfast_version().decode() + ":",
          "sealed and opened", len(text), "bytes with",
          aead.lib.aeadfast_kernel_name(2, len(text)).decode())


if __name__ == "__main__":
    main()
