// SPDX-License-Identifier: MIT
// The public header alone in strict C++11: compiles without a warning, and what it declares links.
#include "aeadfast.h"

#if __cplusplus < 201103L
#error "to be compiled with -std=c++11"
#endif

static_assert(AEADFAST_CHACHA20_POLY1305_TEXT_MAX == (UINT64_C(1) << 38) - 64, "2^38 - 64");
static_assert(AEADFAST_AES_GCM_TEXT_MAX == (UINT64_C(1) << 36) - 32, "2^36 - 32");
static_assert(AEADFAST_AES_GCM_AAD_MAX == (UINT64_C(1) << 61) - 1, "2^61 - 1");
static_assert(AEADFAST_OK == 0 && AEADFAST_ERR_AUTH < 0 && AEADFAST_ERR_STATE < 0, "results");
static_assert(sizeof(aes_gcm_key) == 1536 && sizeof(poly1305_state) == 256, "sizes are part of it");
static_assert(alignof(aes_gcm_key) == alignof(uint64_t), "no alignment beyond a uint64_t's");

namespace
{

struct Key {
    aes_gcm_key k;

    Key(const uint8_t *bytes, size_t n) : good(aes_gcm_init(&k, bytes, n) == AEADFAST_OK)
    {
    }
    ~Key()
    {
        aes_gcm_wipe(&k);
    }
    Key(const Key &) = delete;
    Key &operator=(const Key &) = delete;

    bool good;
};

} // namespace

int main()
{
    const uint8_t bytes[AEADFAST_CHACHA20_KEY_BYTES] = {1, 2, 3};
    const uint8_t nonce[AEADFAST_XCHACHA20_NONCE_BYTES] = {4, 5, 6};
    uint8_t text[5] = {'h', 'e', 'l', 'l', 'o'};
    uint8_t tag[AEADFAST_AES_GCM_TAG_BYTES];
    Key key(bytes, sizeof bytes);

    if (!key.good || aeadfast_version()[0] != AEADFAST_VERSION_STRING[0]) {
        return 1;
    }
    if (aes_gcm_seal(&key.k, text, tag, text, sizeof text, nullptr, 0, nonce,
                     AEADFAST_AES_GCM_NONCE_BYTES) != AEADFAST_OK ||
        aes_gcm_open(&key.k, text, text, sizeof text, tag, nullptr, 0, nonce,
                     AEADFAST_AES_GCM_NONCE_BYTES) != AEADFAST_OK ||
        aeadfast_equal(text, "hello", sizeof text) != 1) {
        return 2;
    }
    if (xchacha20_poly1305_seal(text, tag, text, sizeof text, nullptr, 0, nonce, bytes) !=
            AEADFAST_OK ||
        xchacha20_poly1305_open(text, text, sizeof text, tag, nullptr, 0, nonce, bytes) !=
            AEADFAST_OK ||
        aeadfast_equal(text, "hello", sizeof text) != 1) {
        return 3;
    }
    return aeadfast_kernel_name(AEADFAST_OP_AES_GCM, sizeof text) != nullptr ? 0 : 4;
}
