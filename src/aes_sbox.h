/* SPDX-License-Identifier: MIT */
/*
 * The AES S-box (FIPS 197 section 5.1.1) as a circuit of 32 ANDs and 83 XORs, by the method of
 * Boyar and Peralta: a linear map into a tower of small fields, the inversion in GF(2^4), and a
 * linear map out. Gates instead of a table make it constant time, and serve as many bytes at once
 * as a machine word has bits: bit k of every byte is in x[k].
 *
 * A template, to be included once for each word type, with no include guard:
 *   AES_SBOX       the name of the function to define
 *   AES_SBOX_WORD  its word type, with the operators & and ^
 *
 * Four outputs of the true S-box are complemented. The circuit leaves that out, so it computes
 * S(x) ^ 0x63, and the key schedule adds 0x63 to what follows.
 */
#include "codegen.h"

ALWAYS_INLINE void AES_SBOX(AES_SBOX_WORD x[8])
{
    typedef AES_SBOX_WORD w;
    w x0 = x[7], x1 = x[6], x2 = x[5], x3 = x[4], x4 = x[3], x5 = x[2], x6 = x[1], x7 = x[0];

    /* Into the tower field: every sum of input bits that the multiplications below want. */
    w y14 = x3 ^ x5;
    w y13 = x0 ^ x6;
    w y9 = x0 ^ x3;
    w y8 = x0 ^ x5;
    w a0 = x1 ^ x2;
    w y1 = a0 ^ x7;
    w y4 = y1 ^ x3;
    w y12 = y13 ^ y14;
    w y2 = y1 ^ x0;
    w y5 = y1 ^ x6;
    w y3 = y5 ^ y8;
    w a1 = x4 ^ y12;
    w y15 = a1 ^ x5;
    w y20 = a1 ^ x1;
    w y6 = y15 ^ x7;
    w y10 = y15 ^ a0;
    w y11 = y20 ^ y9;
    w y7 = x7 ^ y11;
    w y17 = y10 ^ y11;
    w y19 = y10 ^ y8;
    w y16 = a0 ^ y11;
    w y21 = y13 ^ y16;
    w y18 = x0 ^ y16;

    /* The element of GF(2^4) to invert, as four bits. */
    w b0 = y12 & y15;
    w b1 = (y3 & y6) ^ b0;
    w b2 = (y4 & x7) ^ b0;
    w b3 = y13 & y16;
    w b4 = (y5 & y1) ^ b3;
    w b5 = (y2 & y7) ^ b3;
    w b6 = y9 & y11;
    w b7 = (y14 & y17) ^ b6;
    w b8 = (y8 & y10) ^ b6;
    w c0 = b1 ^ b7 ^ y20;
    w c1 = b2 ^ b8 ^ y19;
    w c2 = b4 ^ b7 ^ y21;
    w c3 = b5 ^ b8 ^ y18;

    /* Its inverse: d0 to d3, and the sums of them that the last products share. */
    w e0 = c0 ^ c1;
    w e1 = c0 & c2;
    w e2 = c3 ^ e1;
    w d0 = (e0 & e2) ^ c1;
    w d1 = ((c1 ^ e1) & (c2 ^ c3)) ^ c3;
    w e3 = c3 & (e2 ^ d1);
    w d2 = e3 ^ c2 ^ d1;
    w d3 = e0 ^ (d0 & (e2 ^ e3));
    w d23 = d3 ^ d2;
    w d01 = d0 ^ d1;
    w d03 = d0 ^ d3;
    w d12 = d1 ^ d2;
    w dall = d01 ^ d23;

    w z0 = d12 & y15;
    w z1 = d2 & y6;
    w z2 = d1 & x7;
    w z3 = d03 & y16;
    w z4 = d3 & y1;
    w z5 = d0 & y7;
    w z6 = d01 & y11;
    w z7 = dall & y17;
    w z8 = d23 & y10;
    w z9 = d12 & y12;
    w z10 = d2 & y3;
    w z11 = d1 & y4;
    w z12 = d03 & y13;
    w z13 = d3 & y5;
    w z14 = d0 & y2;
    w z15 = d01 & y9;
    w z16 = dall & y14;
    w z17 = d23 & y8;

    /* Back out of the tower field, with the affine map of the S-box. */
    w f0 = z15 ^ z16;
    w f1 = z5 ^ z13;
    w f2 = z0 ^ z3;
    w f3 = z2 ^ z12 ^ f2;
    w f4 = z4 ^ f0;
    w f5 = z3 ^ z6 ^ z7;
    w f6 = z7 ^ z8 ^ f4;
    w f7 = z9 ^ z10 ^ f4;
    w f8 = z4 ^ f5;
    w f9 = z14 ^ f3 ^ f6;
    w f10 = z1 ^ f7;
    w s3 = f2 ^ f10;

    x[7] = f5 ^ f7;
    x[6] = f8 ^ s3;
    x[5] = z16 ^ z17 ^ f8 ^ f9;
    x[4] = s3;
    x[3] = z2 ^ z5 ^ f10;
    x[2] = z10 ^ z11 ^ f9;
    x[1] = z12 ^ f1 ^ f6;
    x[0] = f1 ^ f0 ^ f3;
}
