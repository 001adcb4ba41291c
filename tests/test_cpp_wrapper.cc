/* SPDX-License-Identifier: MIT */
/* include/aeadfast.hpp: that it calls the C functions rightly, with every kind of container. */
#include <aeadfast.hpp>

#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                            \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* The code of the error that it throws, or AEADFAST_OK. */
template <class Function> static int thrown(Function function)
{
    try {
        function();
    } catch (const aeadfast::error &e) {
        CHECK(std::strcmp(e.what(), aeadfast_strerror(e.code())) == 0);
        return e.code();
    }
    return AEADFAST_OK;
}

static const std::string_view text = "a text that is to be kept from others";
static const std::array<std::uint8_t, 5> aad = {1, 2, 3, 4, 5};
static const std::array<std::uint8_t, 32> key = {9, 8, 7};

/* Both forms of seal and open, against each other; `c_seal` is the C function. */
template <class Aead, class Seal>
static void check_aead(const Aead &aead, aeadfast::view nonce, Seal c_seal)
{
    aeadfast::bytes wanted(text.size());
    aeadfast::bytes wanted_tag(aead.tag_size());

    CHECK(c_seal(wanted.data(), wanted_tag.data()) == AEADFAST_OK);

    aeadfast::bytes ct(text.size());
    aeadfast::bytes tag(aead.tag_size());
    aeadfast::bytes pt(text.size());

    aead.seal(ct, tag, text, aad, nonce);
    CHECK(ct == wanted && tag == wanted_tag);
    CHECK(aead.open(pt, ct, tag, aad, nonce));
    CHECK(std::memcmp(pt.data(), text.data(), text.size()) == 0);
    aead.seal(pt, tag, pt, aad, nonce); // in place
    CHECK(pt == wanted && tag == wanted_tag);

    aeadfast::bytes sealed = aead.seal(text, aad, nonce);

    wanted.insert(wanted.end(), wanted_tag.begin(), wanted_tag.end());
    CHECK(sealed == wanted);

    auto opened = aead.open(sealed, aad, nonce);

    CHECK(opened && std::memcmp(opened->data(), text.data(), text.size()) == 0);

    // nothing in it, and NULL for it
    sealed = aead.seal({}, {}, nonce);
    CHECK(sealed.size() == aead.tag_size());
    CHECK(aead.open(sealed, {}, nonce) && aead.open(sealed, {}, nonce)->empty());

    // forged, cut short, with other data
    sealed[0] ^= 1;
    CHECK(!aead.open(sealed, {}, nonce));
    sealed[0] ^= 1;
    CHECK(!aead.open(sealed, aad, nonce));
    sealed.pop_back();
    CHECK(!aead.open(sealed, {}, nonce));
    CHECK(!aead.open({}, {}, nonce));
    tag[0] ^= 0x80;
    CHECK(!aead.open(pt, ct, tag, aad, nonce));
    for (std::uint8_t byte : pt) {
        CHECK(byte == 0);
    }

    // mistakes
    aeadfast::bytes small(text.size() - 1);

    CHECK(thrown([&] { aead.seal(small, tag, text, aad, nonce); }) == AEADFAST_ERR_ARGUMENT);
    CHECK(thrown([&] { (void)aead.open(small, ct, tag, aad, nonce); }) == AEADFAST_ERR_ARGUMENT);
    tag.push_back(0);
    CHECK(thrown([&] { aead.seal(ct, tag, text, aad, nonce); }) == AEADFAST_ERR_ARGUMENT);
    CHECK(thrown([&] { (void)aead.seal(text, aad, aeadfast::view()); }) == AEADFAST_ERR_ARGUMENT);
    aeadfast::bytes both(text.size() + 1);

    CHECK(thrown([&] {
              aead.seal(aeadfast::span(both.data() + 1, text.size()), wanted_tag,
                        aeadfast::view(both.data(), text.size()), aad, nonce);
          }) == AEADFAST_ERR_OVERLAP);
}

static void check_ciphers()
{
    const auto *in = reinterpret_cast<const std::uint8_t *>(text.data());
    const std::array<std::uint8_t, 12> nonce12 = {1};
    const std::array<std::uint8_t, 24> nonce24 = {2};
    const std::array<std::uint8_t, 8> nonce8 = {3};

    check_aead(aeadfast::chacha20_poly1305(key), nonce12, [&](std::uint8_t *ct, std::uint8_t *tag) {
        return chacha20_poly1305_seal(ct, tag, in, text.size(), aad.data(), aad.size(),
                                      nonce12.data(), key.data());
    });
    check_aead(aeadfast::xchacha20_poly1305(key), nonce24,
               [&](std::uint8_t *ct, std::uint8_t *tag) {
                   return xchacha20_poly1305_seal(ct, tag, in, text.size(), aad.data(), aad.size(),
                                                  nonce24.data(), key.data());
               });
    for (std::size_t key_size : {16u, 24u, 32u}) {
        for (std::size_t tag_size : {4u, 8u, 12u, 16u}) {
            const aeadfast::aes_gcm made(aeadfast::view(key.data(), key_size), tag_size);
            const aeadfast::aes_gcm copy = made;

            check_aead(copy, nonce8, [&](std::uint8_t *ct, std::uint8_t *tag) {
                aes_gcm_key c_key;

                return aes_gcm_init_tag(&c_key, key.data(), key_size, tag_size) ||
                       aes_gcm_seal(&c_key, ct, tag, in, text.size(), aad.data(), aad.size(),
                                    nonce8.data(), nonce8.size());
            });
        }
    }
    for (std::size_t key_size : {16u, 32u}) {
        const aeadfast::aes_gcm_siv made(aeadfast::view(key.data(), key_size));
        const aeadfast::aes_gcm_siv copy = made;

        check_aead(copy, nonce12, [&](std::uint8_t *ct, std::uint8_t *tag) {
            aes_gcm_siv_key c_key;

            return aes_gcm_siv_init(&c_key, key.data(), key_size) ||
                   aes_gcm_siv_seal(&c_key, ct, tag, in, text.size(), aad.data(), aad.size(),
                                    nonce12.data());
        });
    }
    for (std::size_t key_size : {0u, 31u, 33u}) {
        const aeadfast::bytes wrong(key_size);

        CHECK(thrown([&] { aeadfast::chacha20_poly1305 c(wrong); }) == AEADFAST_ERR_ARGUMENT);
        CHECK(thrown([&] { aeadfast::xchacha20_poly1305 c(wrong); }) == AEADFAST_ERR_ARGUMENT);
        CHECK(thrown([&] { aeadfast::aes_gcm c(wrong); }) == AEADFAST_ERR_ARGUMENT);
        CHECK(thrown([&] { aeadfast::aes_gcm_siv c(wrong); }) == AEADFAST_ERR_ARGUMENT);
    }
    CHECK(thrown([] { aeadfast::aes_gcm c(key, 7); }) == AEADFAST_ERR_ARGUMENT);
}

/* Pieces and streams against seal in one call. */
template <class Aead> static void check_pieces(const Aead &aead, aeadfast::view nonce)
{
    const auto *in = reinterpret_cast<const std::uint8_t *>(text.data());
    const aeadfast::view head(in, 5);
    const aeadfast::view tail(in + 5, text.size() - 5);
    const aeadfast::bytes wanted = aead.seal(text, aad, nonce);
    aeadfast::bytes ct(text.size());
    aeadfast::bytes tag(aead.tag_size());
    const auto as_sealed = [&] {
        aeadfast::bytes sealed = ct;

        sealed.insert(sealed.end(), tag.begin(), tag.end());
        return sealed;
    };

    aead.sealv({aeadfast::span(ct.data(), 9), aeadfast::span(ct.data() + 9, ct.size() - 9)}, tag,
               {head, {}, tail}, {aeadfast::view(aad.data(), 2), aeadfast::view(&aad[2], 3)},
               nonce);
    CHECK(as_sealed() == wanted);

    aeadfast::bytes pt(text.size());
    const aeadfast::spans out = {aeadfast::span(pt)};
    const aeadfast::views sealed = {aeadfast::view(ct.data(), 1),
                                    aeadfast::view(ct.data() + 1, ct.size() - 1)};

    CHECK(aead.openv(out, sealed, tag, {aad}, nonce));
    CHECK(aeadfast::equal(pt, text));
    CHECK(!aead.openv(out, sealed, tag, {aad, aad}, nonce));
    CHECK(pt == aeadfast::bytes(text.size()));
    CHECK(thrown([&] { aead.sealv(out, tag, {head}, {}, nonce); }) == AEADFAST_ERR_ARGUMENT);
    CHECK(thrown([&] { aead.sealv(out, pt, {text}, {}, nonce); }) == AEADFAST_ERR_ARGUMENT);

    ct.assign(ct.size(), 0);
    auto sealer = aead.sealer(nonce);
    sealer.aad(aad);
    sealer.update(aeadfast::span(ct.data(), 5), head);
    auto copy = sealer;
    sealer.update(aeadfast::span(ct.data() + 5, tail.size()), tail);
    tag.assign(tag.size(), 0);
    sealer.finish(tag);
    CHECK(as_sealed() == wanted);
    CHECK(thrown([&] { sealer.finish(tag); }) == AEADFAST_ERR_STATE);
    copy.update(aeadfast::span(ct.data() + 5, tail.size()), tail);
    copy.finish(tag);
    CHECK(as_sealed() == wanted);

    auto opener = aead.opener(nonce);
    opener.aad(aad);
    opener.update_unverified(pt, ct);
    auto forged = opener;
    CHECK(opener.finish(tag));
    CHECK(aeadfast::equal(pt, text));
    CHECK(thrown([&] { forged.update_unverified(pt, tail); }) == AEADFAST_ERR_ARGUMENT);
    CHECK(thrown([&] { forged.aad(aad); }) == AEADFAST_ERR_STATE);
    tag[0] ^= 1;
    CHECK(!forged.finish(tag));
}

/* Two messages of one kind, of which one is forged before they are opened. */
template <class Message, class Key> static void check_many(Key set_key)
{
    const auto *in = reinterpret_cast<const std::uint8_t *>(text.data());
    const std::uint8_t nonces[2][12] = {{1}, {2}};
    std::array<Message, 2> messages{};
    std::array<aeadfast::bytes, 2> ct{aeadfast::bytes(text.size()), aeadfast::bytes(text.size())};
    std::array<aeadfast::bytes, 2> tag{aeadfast::bytes(16), aeadfast::bytes(16)};
    std::vector<Message> none;

    for (std::size_t i = 0; i < 2; i++) {
        messages[i].dst = ct[i].data();
        messages[i].tag = tag[i].data();
        messages[i].src = in;
        messages[i].len = text.size();
        messages[i].nonce = nonces[i];
        set_key(messages[i]);
    }
    aeadfast::seal_many(messages);
    CHECK(ct[0] != ct[1]);
    for (std::size_t i = 0; i < 2; i++) {
        messages[i].src = ct[i].data();
    }
    tag[1][15] ^= 1;
    CHECK(!aeadfast::open_many(messages));
    CHECK(messages[0].result == AEADFAST_OK && messages[1].result == AEADFAST_ERR_AUTH);
    CHECK(aeadfast::equal(ct[0], text));
    CHECK(ct[1] == aeadfast::bytes(text.size()));
    messages[1].nonce = nullptr;
    CHECK(thrown([&] { aeadfast::seal_many(messages); }) == AEADFAST_ERR_ARGUMENT);
    CHECK(messages[0].result == AEADFAST_OK);
    CHECK(aeadfast::open_many(none));
}

static void check_groups()
{
    const std::array<std::uint8_t, 12> nonce12 = {5};
    const std::array<std::uint8_t, 24> nonce24 = {6};
    const aeadfast::aes_gcm gcm(key, 12);
    aes_gcm_key c_key;

    check_pieces(aeadfast::chacha20_poly1305(key), nonce12);
    check_pieces(aeadfast::xchacha20_poly1305(key), nonce24);
    check_pieces(gcm, nonce24);

    CHECK(aes_gcm_init(&c_key, key.data(), key.size()) == AEADFAST_OK);
    check_many<chacha20_poly1305_message>([](chacha20_poly1305_message &m) { m.key = key.data(); });
    check_many<aes_gcm_message>([&](aes_gcm_message &m) {
        m.nonce_len = 12;
        m.k = &c_key;
    });
}

/* A key that has gone leaves its bytes zeroed. */
template <class Aead> static void check_wiping()
{
    alignas(Aead) unsigned char storage[sizeof(Aead)];
    auto *aead = new (storage) Aead(key);
    bool found = false;

    aead->~Aead();
    // through volatile: the lifetime is over, and the storage is what counts
    const volatile unsigned char *left = storage;
    for (std::size_t i = 0; i + 2 < sizeof(Aead); i++) {
        found = found || (left[i] == 9 && left[i + 1] == 8 && left[i + 2] == 7);
    }
    CHECK(!found);
}

static void check_others()
{
    std::string msg = "message";
    std::uint8_t tag[16];
    std::array<std::byte, 7> out{};
    std::uint8_t wanted[7];
    const std::uint8_t nonce[12] = {4};

    CHECK(poly1305_mac(tag, reinterpret_cast<const std::uint8_t *>(msg.data()), msg.size(),
                       key.data()) == AEADFAST_OK);
    CHECK(aeadfast::equal(aeadfast::poly1305(msg, key), tag));
    CHECK(!aeadfast::equal(aeadfast::poly1305(msg, key), msg));
    CHECK(chacha20_xor(wanted, reinterpret_cast<const std::uint8_t *>(msg.data()), msg.size(), 5,
                       nonce, key.data()) == AEADFAST_OK);
    aeadfast::chacha20(out, msg, 5, nonce, key);
    CHECK(aeadfast::equal(out, wanted));
    CHECK(thrown([&] { (void)aeadfast::poly1305(msg, msg); }) == AEADFAST_ERR_ARGUMENT);
    CHECK(thrown([&] { aeadfast::chacha20(out, key, 5, nonce, key); }) == AEADFAST_ERR_ARGUMENT);
    CHECK(thrown([&] { aeadfast::chacha20(out, msg, 5, msg, key); }) == AEADFAST_ERR_ARGUMENT);
    aeadfast::wipe(msg);
    CHECK(msg == std::string(7, '\0'));
}

int main()
{
    check_ciphers();
    check_wiping<aeadfast::chacha20_poly1305>();
    check_wiping<aeadfast::xchacha20_poly1305>();
    check_wiping<aeadfast::aes_gcm>();
    check_wiping<aeadfast::aes_gcm_siv>();
    check_groups();
    check_others();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
