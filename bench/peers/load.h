/* SPDX-License-Identifier: MIT */
#ifndef AEADFAST_BENCH_PEERS_LOAD_H
#define AEADFAST_BENCH_PEERS_LOAD_H

#include "peer.h"

/* Loads an adapter. NULL, after a line on stderr, where it or its library is not to be had. */
const struct peer *peer_load(const char *path);

#endif
