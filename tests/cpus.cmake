# SPDX-License-Identifier: MIT
# The processors that the tests can run on besides the build's own, for the architecture that is
# compiled for. A new one is a line here; cmake/AeadfastCpus.cmake explains the columns.

get_property(arch TARGET aeadfast PROPERTY AEADFAST_ARCH)
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(arch "")
endif()

# ---- This processor, with each backend forced ----

if(NOT CMAKE_CROSSCOMPILING AND arch)
    set(runner_FORCED "${CMAKE_CURRENT_SOURCE_DIR}/forced_backend.sh")
    get_property(backends TARGET aeadfast PROPERTY AEADFAST_BACKENDS)
    foreach(backend IN LISTS backends)
        aeadfast_cpu(forced-${backend} "this machine's processor, AEADFAST_BACKEND=${backend}"
                     RUNNER FORCED ARGS ${backend} $<TARGET_FILE:test_processor>)
    endforeach()
endif()

# ---- x86-64 ----

if(arch STREQUAL "AEADFAST_ARCH_X86_64")
    aeadfast_runner(X86 "QEMU's qemu-x86_64" qemu-x86_64-static qemu-x86_64)
    set(qemu RUNNER X86 EXCEPT "^interrupted$" BECAUSE
        "QEMU before version 8 calls signal handlers with a misaligned stack" ARGS -cpu)
    # Without what it does not emulate, and would say so for each thread, where tests read stderr.
    set(sandy_bridge SandyBridge,-x2apic,-tsc-deadline)
    set(haswell Haswell,-pcid,-x2apic,-tsc-deadline,-hle,-invpcid,-rtm)
    aeadfast_cpu(nehalem "SSE4" ${qemu} Nehalem LACKS aes pclmulqdq avx)
    aeadfast_cpu(westmere "AES, PCLMULQDQ" ${qemu} Westmere HAS aes pclmulqdq LACKS avx)
    aeadfast_cpu(sandy-bridge "AVX" ${qemu} ${sandy_bridge} HAS aes pclmulqdq avx LACKS avx2 bmi2)
    aeadfast_cpu(haswell "AVX2" ${qemu} ${haswell} HAS aes avx2 bmi2 LACKS adx vaes avx512f)
    aeadfast_cpu(haswell-no-aes "AVX2 without AES" ${qemu} ${haswell},-aes HAS avx2 LACKS aes)
    aeadfast_cpu(haswell-no-pclmulqdq "AVX2 and AES without PCLMULQDQ" ${qemu} ${haswell},-pclmulqdq
                 HAS aes avx2 LACKS pclmulqdq)
    aeadfast_cpu(haswell-no-bmi2 "AVX2 without BMI2" ${qemu} ${haswell},-bmi2 HAS avx2 LACKS bmi2)
    aeadfast_cpu(haswell-no-avx "the bit of AVX2 without that of AVX" ${qemu} ${haswell},-avx
                 LACKS avx avx2)

    # A runner of these takes [-x XCR0] [-e VARIABLE=VALUE] MODEL, where XCR0 says which registers
    # the system saves. Such an emulator takes a hundred times as long as the processor would, so
    # it runs the programs that go through the kernels one by one, and of their rows the ones that
    # nothing faster has.
    aeadfast_runner(X86_AVX512 "an emulator of AVX-512, which QEMU is not")
    set(slow RUNNER X86_AVX512 TIMEOUT 5400 ONLY
        "_kernels$|^aes_gcm_parts$|^batches$|_many$|^gcm_siv$|^dispatch|^backend$|^processor$" BECAUSE
        "an emulator of AVX-512 is too slow for it, and may have no threads, processes or files")
    set(wide ${slow} ARGS -e AEADFAST_TEST_BACKENDS=avx512,vaes)
    set(base HAS avx2 bmi2 avx512f avx512dq avx512bw avx512vl)
    aeadfast_cpu(skylake-x "AVX-512" ${wide} corei7_skylake_x ${base} LACKS avx512_ifma vaes fast_zmm)
    aeadfast_cpu(cannon-lake "and IFMA" ${wide} corei3_cnl ${base} avx512_ifma LACKS vaes)
    aeadfast_cpu(ice-lake "and VAES, VPCLMULQDQ" ${wide} corei7_icelake_u ${base} avx512_ifma vaes
                 vpclmulqdq)
    aeadfast_cpu(tiger-lake "the same, one generation on" ${wide} tigerlake ${base} avx512_ifma vaes
                 vpclmulqdq)
    set(saves ${slow} ARGS -e AEADFAST_TEST_BACKENDS=vaes -x)
    aeadfast_cpu(tiger-lake-saves-avx "its system saves no AVX-512 registers" ${saves} 0x7 tigerlake
                 HAS avx2 vaes vpclmulqdq LACKS avx512f avx512_ifma)
    aeadfast_cpu(tiger-lake-saves-sse "its system saves no AVX registers" ${saves} 0x3 tigerlake
                 HAS aes pclmulqdq LACKS avx avx2 vaes avx512f)
endif()

# ---- AArch64 ----

# The masks are of AT_HWCAP, which tests/support/hwcap.c applies: QEMU has no model without AES.
if(arch STREQUAL "AEADFAST_ARCH_AARCH64")
    aeadfast_runner(AARCH64 "QEMU's qemu-aarch64" qemu-aarch64-static qemu-aarch64)
    set(qemu RUNNER AARCH64 ARGS -cpu)
    set(mask ENVIRONMENT AEADFAST_TEST_HWCAP_MASK)
    aeadfast_cpu(cortex-a53 "NEON, AES, PMULL" ${qemu} cortex-a53 HAS asimd aes pmull LACKS sha3)
    aeadfast_cpu(cortex-a72 "the same" ${qemu} cortex-a72 HAS asimd aes pmull LACKS sha3)
    aeadfast_cpu(neoverse-n1 "the same" ${qemu} neoverse-n1 HAS asimd aes pmull LACKS sha3)
    aeadfast_cpu(max "and SHA3, SVE2" ${qemu} max HAS asimd aes pmull sha3)
    aeadfast_cpu(max-no-sve "and SHA3" ${qemu} max,sve=off HAS asimd aes pmull sha3)
    aeadfast_cpu(cortex-a72-no-aes "Raspberry Pi 4: NEON alone" ${qemu} cortex-a72 ${mask}=0x3
                 HAS asimd LACKS aes pmull sha3)
    aeadfast_cpu(max-no-pmull "AES without PMULL" ${qemu} max ${mask}=0xffffffef HAS asimd aes sha3
                 LACKS pmull)
    aeadfast_cpu(max-no-sha3 "SHA3 masked" ${qemu} max ${mask}=0xfffdffff HAS asimd aes pmull
                 LACKS sha3)
    aeadfast_cpu(nothing "not even NEON" ${qemu} cortex-a53 ${mask}=0 LACKS asimd aes pmull sha3)
endif()

# ---- RISC-V ----

# Tails and masked-off elements are filled with ones: that finds code which relies on them. QEMU 7.2
# has neither riscv_hwprobe nor vector crypto; a later one (cmake/get-qemu fetches it) has both.
if(arch STREQUAL "AEADFAST_ARCH_RISCV64")
    aeadfast_runner(RISCV64 "QEMU's qemu-riscv64" qemu-riscv64-static qemu-riscv64)
    aeadfast_runner(RISCV64_ZVK "a qemu-riscv64 of version 9 or later, which has vector crypto")
    set(ones rvv_ta_all_1s=true,rvv_ma_all_1s=true)
    set(zvk zvkned=true,zvkg=true,zvbb=true,zvkb=true)
    aeadfast_cpu(rv64 "no vectors" RUNNER RISCV64 ARGS -cpu rv64 LACKS v zvkb zvkg zvkned vlen128)
    aeadfast_cpu(rv64-hwprobe "no vectors, says riscv_hwprobe" RUNNER RISCV64_ZVK ARGS -cpu rv64
                 LACKS v zvkb zvkg zvkned vlen128)
    foreach(vlen IN ITEMS 128 256 512 1024)
        set(v v=true,vlen=${vlen},elen=64,${ones})
        aeadfast_cpu(rv64-v${vlen} "vectors of ${vlen} bits" RUNNER RISCV64 ARGS -cpu
                     rv64,vext_spec=v1.0,${v} HAS v vlen128 LACKS zvkb zvkg zvkned)
        aeadfast_cpu(rv64-v${vlen}-hwprobe "vectors of ${vlen} bits, says riscv_hwprobe"
                     RUNNER RISCV64_ZVK ARGS -cpu rv64,${v} HAS v vlen128 LACKS zvkb zvkg zvkned)
        aeadfast_cpu(rv64-zvk${vlen} "vectors of ${vlen} bits and vector crypto" RUNNER RISCV64_ZVK
                     ARGS -cpu rv64,${v},${zvk} HAS v vlen128 zvkb zvkg zvkned)
    endforeach()
    aeadfast_cpu(rv64-zvkb256 "vectors of 256 bits, of vector crypto Zvkb alone" RUNNER RISCV64_ZVK
                 ARGS -cpu rv64,v=true,vlen=256,elen=64,${ones},zvkb=true HAS v zvkb
                 LACKS zvkg zvkned)
endif()

# ---- 32-bit x86, for portable code ----

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^i.86$" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    aeadfast_runner(I386 "QEMU's qemu-i386" qemu-i386-static qemu-i386)
    aeadfast_cpu(pentium3 "no SSE2" RUNNER I386 ARGS -cpu pentium3)
endif()
