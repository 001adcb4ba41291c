/* SPDX-License-Identifier: MIT */
/*
 * Linked in place of getauxval by -Wl,--wrap=getauxval, on AArch64: takes bits out of AT_HWCAP, so
 * that an emulator whose every model has AES shows a processor without it.
 */
#include <stdlib.h>
#include <sys/auxv.h>

unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);

unsigned long __wrap_getauxval(unsigned long type)
{
    unsigned long value = __real_getauxval(type);
    const char *mask = getenv("AEADFAST_TEST_HWCAP_MASK");

    return type == AT_HWCAP && mask != NULL ? value & strtoul(mask, NULL, 0) : value;
}
