/* SPDX-License-Identifier: MIT */
/*
 * Which kernels each made-up processor of test_dispatch_cpus.c gets: the one for the shortest messages,
 * and each other one with the length in bytes from which on it is chosen. A changed threshold or row
 * shows here, where a reader can see what it does to whom.
 */
#ifndef AEADFAST_TESTS_DISPATCH_TABLE_H
#define AEADFAST_TESTS_DISPATCH_TABLE_H

static const struct dispatch_line {
    const char *processor;
    const char *kernels[4]; /* of ChaCha20, Poly1305, ChaCha20-Poly1305, AES-GCM */
} dispatch_table[] = {
    {"first x86-64", {"portable", "portable", "portable", "portable"}},
    {"Westmere (AES, no AVX)", {"portable", "portable", "portable", "portable"}},
    {"Sandy Bridge (AVX, no AVX2)", {"avx", "portable", "avx", "aesni"}},
    {"Haswell (AVX2, no ADX)", {"avx2", "mulx, avx2 from 640", "avx2", "aesni"}},
    {"Broadwell", {"avx2", "mulx, avx2 from 640", "avx2", "aesni"}},
    {"Skylake-X (slow ZMM)", {"avx512vl", "mulx, avx2 from 640", "avx512vl", "aesni"}},
    {"Cascade Lake (slow ZMM, no IFMA)", {"avx512vl", "mulx, avx2 from 640", "avx512vl", "aesni"}},
    {"Cannon Lake (IFMA, no VAES)", {"avx512", "mulx, avx512 from 193", "avx512", "aesni"}},
    {"Ice Lake (slow ZMM, IFMA, VAES)",
     {"avx512vl", "mulx, avx2 from 640", "avx512vl_ifma", "avx512vl"}},
    {"Tiger Lake (slow ZMM)", {"avx512vl", "mulx, avx2 from 640", "avx512vl_ifma", "avx512vl"}},
    {"Rocket Lake (fast ZMM)", {"avx512", "mulx, avx512 from 193", "avx512", "avx512"}},
    {"Sapphire Rapids (fast ZMM)", {"avx512", "mulx, avx512 from 193", "avx512", "avx512"}},
    {"Zen 2", {"avx2", "mulx, avx2 from 640", "avx2", "aesni"}},
    {"Zen 3 (VAES, no AVX-512)", {"avx2", "mulx, avx2 from 640", "avx2", "vaes"}},
    {"Zen 4 (fast ZMM)", {"avx512", "mulx, avx512 from 193", "avx512", "avx512"}},
    {"hypervisor that hides XSAVE", {"portable", "portable", "portable", "portable"}},
    {"hypervisor that saves no ZMM", {"avx2", "mulx, avx2 from 640", "avx2", "vaes"}},
    {"emulator with AVX2 but no PCLMULQDQ", {"avx2", "mulx, avx2 from 640", "avx2", "portable"}},
    {"AVX2 without AES", {"avx2", "mulx, avx2 from 640", "avx2", "portable"}},
    {"AVX2 without BMI2", {"avx", "portable", "avx", "aesni"}},
    {"AVX-512 without BMI2", {"avx", "portable", "avx", "aesni"}},
    {"AVX-512 without AVX2", {"avx", "portable", "avx", "aesni"}},
    {"AVX-512 without VAES", {"avx512", "mulx, avx512 from 193", "avx512", "aesni"}},
    {"AVX-512 without VPCLMULQDQ", {"avx512", "mulx, avx512 from 193", "avx512", "aesni"}},
    {"AVX-512 without AES", {"avx512", "mulx, avx512 from 193", "avx512", "portable"}},
    {"Cortex-A72 without AES (Raspberry Pi 4)", {"neon", "neon", "neon", "neon"}},
    {"Cortex-A72 with AES", {"neon", "neon", "neon", "neon_aes"}},
    {"Neoverse N1", {"neon", "neon", "neon", "neon_aes"}},
    {"Neoverse V1 (EOR3)", {"neon", "neon", "neon", "neon_aes_sha3"}},
    {"Neoverse V2", {"neon", "neon", "neon", "neon_aes_sha3"}},
    {"Apple M1", {"neon", "neon", "neon", "neon_aes_sha3"}},
    {"AES without PMULL", {"neon", "neon", "neon", "neon"}},
    {"no SIMD", {"portable", "portable", "portable", "portable"}},
    {"no vectors", {"portable", "portable", "portable", "portable"}},
    {"no vectors, Zbb", {"portable", "portable", "portable", "portable"}},
    {"vectors of the draft 0.7.1", {"portable", "portable", "portable", "portable"}},
    {"K230 (vlenb 16)", {"portable", "portable", "portable", "portable"}},
    {"BananaPi F3 (vlenb 32)",
     {"portable, rvv from 512", "portable, rvv from 256", "portable, rvv from 448", "portable"}},
    {"vlenb 64", {"portable", "portable", "portable", "portable"}},
    {"vlenb 8", {"portable", "portable", "portable", "portable"}},
    {"Zvkned without Zvkg",
     {"portable, rvv_zvkb from 256", "portable", "portable, rvv_zvkb from 192", "portable"}},
    {"vector crypto, vlenb 16",
     {"portable, rvv_zvkb from 256", "portable", "portable, rvv_zvkb from 192", "zvk"}},
    {"vector crypto, vlenb 32",
     {"portable, rvv_zvkb from 256", "portable, rvv from 256", "portable, rvv_zvkb from 192",
      "zvk"}},
    {"vector crypto, vlenb 1024",
     {"portable, rvv_zvkb from 256", "portable", "portable, rvv_zvkb from 192", "zvk"}},
};

#endif
