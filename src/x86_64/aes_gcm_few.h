/* SPDX-License-Identifier: MIT */
/*
 * Less than TURN bytes through AES, for the parts of AES-GCM (aes_gcm_parts.h): as many chains as
 * there are registers of blocks. What does not fill a register lies in e0, last; the full registers are
 * e1, e2, ... back from there, so that one list of branches serves all lengths.
 */
#ifndef AEADFAST_AES_GCM_FEW_H
#define AEADFAST_AES_GCM_FEW_H

#include "aes_gcm_chains.h"

/*
 * e0 to e##full at least, begun by `start`. e0 may be of no use: the time is that of one chain's
 * latency anyway.
 */
#define ENCRYPT_FEW(full, start)                                                                   \
    do {                                                                                           \
        e1 = e2 = e3 = e4 = e5 = e6 = e7 = vec_zero();                                             \
        switch (full) {                                                                            \
        case 0:                                                                                    \
            CHAINS_1(start)                                                                        \
            CHAINS_ENCRYPT(CHAINS_1, CHAINS_FIRST_8);                                              \
            break;                                                                                 \
        case 1:                                                                                    \
            CHAINS_2(start)                                                                        \
            CHAINS_ENCRYPT(CHAINS_2, CHAINS_FIRST_8);                                              \
            break;                                                                                 \
        case 2:                                                                                    \
            CHAINS_3(start)                                                                        \
            CHAINS_ENCRYPT(CHAINS_3, CHAINS_FIRST_8);                                              \
            break;                                                                                 \
        case 3:                                                                                    \
        case 4:                                                                                    \
            CHAINS_5(start)                                                                        \
            CHAINS_ENCRYPT(CHAINS_5, CHAINS_FIRST_8);                                              \
            break;                                                                                 \
        case 5:                                                                                    \
        case 6:                                                                                    \
            CHAINS_7(start)                                                                        \
            CHAINS_ENCRYPT(CHAINS_7, CHAINS_FIRST_8);                                              \
            break;                                                                                 \
        default:                                                                                   \
            CHAINS_8(start)                                                                        \
            CHAINS_ENCRYPT(CHAINS_8, CHAINS_FIRST_8);                                              \
            break;                                                                                 \
        }                                                                                          \
    } while (0)

/* f(full) to f(1), from the first register to the last full one */
#define EACH_OF_FEW(full, f)                                                                       \
    do {                                                                                           \
        if ((full) >= 1) {                                                                         \
            if ((full) >= 2) {                                                                     \
                if ((full) >= 3) {                                                                 \
                    if ((full) >= 4) {                                                             \
                        if ((full) >= 5) {                                                         \
                            if ((full) >= 6) {                                                     \
                                if ((full) >= 7) {                                                 \
                                    f(7);                                                          \
                                }                                                                  \
                                f(6);                                                              \
                            }                                                                      \
                            f(5);                                                                  \
                        }                                                                          \
                        f(4);                                                                      \
                    }                                                                              \
                    f(3);                                                                          \
                }                                                                                  \
                f(2);                                                                              \
            }                                                                                      \
            f(1);                                                                                  \
        }                                                                                          \
    } while (0)

#endif
