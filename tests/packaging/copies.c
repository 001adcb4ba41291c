/* SPDX-License-Identifier: MIT */
/*
 * Three copies of the library in one program. Compiled once for each, with that copy's
 * AEADFAST_PREFIX and with COPY naming the function below; the last also defines MAIN.
 */
#include <aeadfast.h>

typedef int selftest(void);

selftest *copy_a(void);
selftest *copy_b(void);
selftest *copy_c(void);

selftest *COPY(void)
{
    return aeadfast_selftest;
}

#ifdef MAIN
int main(void)
{
    selftest *a = copy_a();
    selftest *b = copy_b();
    selftest *c = copy_c();

    if (a == b || b == c || c == a) {
        return 1;
    }
    return a() != AEADFAST_OK || b() != AEADFAST_OK || c() != AEADFAST_OK;
}
#endif
