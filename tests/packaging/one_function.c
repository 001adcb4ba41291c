/* SPDX-License-Identifier: MIT */
/* Uses a single function, so that hardly anything of the library should be in the program. */
#include <aeadfast.h>

int main(int argc, char **argv)
{
    (void)argc;
    return aeadfast_equal(argv[0], argv[0], 1) != 1;
}
