/* SPDX-License-Identifier: MIT */
/*
 * aeadfast for C++17: the functions of aeadfast.h with containers, keys that wipe themselves, and
 * errors that cannot be overlooked. Header only; nothing here that the C functions do not do.
 *
 *     aeadfast::chacha20_poly1305 aead(key);
 *     std::vector<std::uint8_t> sealed = aead.seal(text, aad, nonce);
 *     std::optional<std::vector<std::uint8_t>> text = aead.open(sealed, aad, nonce);
 *     if (!text) { ... }    // forged, or the wrong key
 *
 * A forgery is a result (std::nullopt, or false), since it is what the world does; a mistake of the
 * caller (a size, an overlap, a call out of order) is thrown as aeadfast::error. What
 * aeadfast.h says of limits, overlap, nonces and threads holds here as well.
 */
#ifndef AEADFAST_HPP
#define AEADFAST_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "aeadfast.h"

namespace aeadfast
{

/* An AEADFAST_ERR_* that was the caller's mistake, or a forced backend that cannot be had. */
class error : public std::runtime_error
{
  public:
    explicit error(int code) : std::runtime_error(aeadfast_strerror(code)), code_(code)
    {
    }
    int code() const noexcept
    {
        return code_;
    }

  private:
    int code_;
};

namespace detail
{

inline void check(int result)
{
    if (result != AEADFAST_OK) {
        throw error(result);
    }
}

/* True for AEADFAST_OK, false for a tag that does not match. */
inline bool check_tag(int result)
{
    if (result == AEADFAST_ERR_AUTH) {
        return false;
    }
    check(result);
    return true;
}

inline void check_size(std::size_t size, std::size_t wanted)
{
    if (size != wanted) {
        throw error(AEADFAST_ERR_ARGUMENT);
    }
}

/* char, signed and unsigned char, std::byte: what bytes are kept in. */
template <class T> constexpr bool is_byte = sizeof(T) == 1 && std::is_trivially_copyable_v<T>;

template <class Container>
using element = std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>;

} // namespace detail

/*
 * Bytes to read: a pointer and a size, or any container or array of bytes that lies in one piece
 * (std::vector, std::array, std::string, std::string_view, std::span). It does not own them.
 */
class view
{
  public:
    constexpr view() noexcept = default;
    constexpr view(const std::uint8_t *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    template <class Container,
              class = std::enable_if_t<detail::is_byte<detail::element<const Container>>>>
    view(const Container &container) noexcept
        : data_(reinterpret_cast<const std::uint8_t *>(std::data(container))),
          size_(std::size(container))
    {
    }
    /* Not from a string literal, whose last byte is a 0 that nobody means: std::string_view("..."). */
    template <std::size_t N> view(const char (&)[N]) = delete;
    template <std::size_t N>
    view(char (&array)[N]) noexcept : data_(reinterpret_cast<const std::uint8_t *>(array)), size_(N)
    {
    }
    constexpr const std::uint8_t *data() const noexcept
    {
        return data_;
    }
    constexpr std::size_t size() const noexcept
    {
        return size_;
    }

  private:
    const std::uint8_t *data_ = nullptr;
    std::size_t size_ = 0;
};

/* Bytes to write, the same way. */
class span
{
  public:
    constexpr span() noexcept = default;
    constexpr span(std::uint8_t *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    template <class Container,
              class = std::enable_if_t<detail::is_byte<detail::element<Container>> &&
                                       !std::is_const_v<detail::element<Container>>>>
    span(Container &&container) noexcept
        : data_(reinterpret_cast<std::uint8_t *>(std::data(container))), size_(std::size(container))
    {
    }
    constexpr std::uint8_t *data() const noexcept
    {
        return data_;
    }
    constexpr std::size_t size() const noexcept
    {
        return size_;
    }

  private:
    std::uint8_t *data_ = nullptr;
    std::size_t size_ = 0;
};

using bytes = std::vector<std::uint8_t>;
using tag16 = std::array<std::uint8_t, 16>;

/* Texts in several buffers: a list of pieces to read, and one of pieces to write. */
using views = std::vector<view>;
using spans = std::vector<span>;

namespace detail
{

/* 32 bytes that are zeroed when they are no longer needed. */
class key32
{
  public:
    explicit key32(view key)
    {
        check_size(key.size(), bytes_.size());
        for (std::size_t i = 0; i < bytes_.size(); i++) {
            bytes_[i] = key.data()[i];
        }
    }
    key32(const key32 &) = default;
    key32 &operator=(const key32 &) = default;
    ~key32()
    {
        aeadfast_wipe(bytes_.data(), bytes_.size());
    }
    const std::uint8_t *data() const noexcept
    {
        return bytes_.data();
    }

  private:
    std::array<std::uint8_t, 32> bytes_;
};

/* The same list for the C functions, which write to no piece that was given to be read. */
template <class Piece> std::vector<aeadfast_iovec> iovecs(const std::vector<Piece> &pieces)
{
    std::vector<aeadfast_iovec> list;

    list.reserve(pieces.size());
    for (const Piece &piece : pieces) {
        list.push_back({const_cast<std::uint8_t *>(piece.data()), piece.size()});
    }
    return list;
}

} // namespace detail

/*
 * Messages that come piece by piece, as `sealer(nonce)` and `opener(nonce)` of a cipher begin them:
 * first all additional data, then all text, then `finish`. `Stream` says how the C functions are
 * called. A copy goes on by itself; what is left of a stream is wiped with it.
 */
template <class Stream> class sealing
{
  public:
    explicit sealing(const Stream &stream) : stream_(stream)
    {
    }
    void aad(view data)
    {
        detail::check(stream_.aad(data));
    }
    /* `ct` is as large as `pt`, and may be the same. */
    void update(span ct, view pt)
    {
        detail::check_size(ct.size(), pt.size());
        detail::check(stream_.seal_update(ct.data(), pt));
    }
    void finish(span tag)
    {
        detail::check_size(tag.size(), stream_.tag_size());
        detail::check(stream_.seal_final(tag.data()));
    }

  private:
    Stream stream_;
};

/* What `update_unverified` gives out may be a forgery: use nothing of it before `finish` is true. */
template <class Stream> class opening
{
  public:
    explicit opening(const Stream &stream) : stream_(stream)
    {
    }
    void aad(view data)
    {
        detail::check(stream_.aad(data));
    }
    void update_unverified(span pt, view ct)
    {
        detail::check_size(pt.size(), ct.size());
        detail::check(stream_.open_update(pt.data(), ct));
    }
    /* False where the tag does not match: then throw away all that was written. */
    [[nodiscard]] bool finish(view tag)
    {
        detail::check_size(tag.size(), stream_.tag_size());
        return detail::check_tag(stream_.open_final(tag.data()));
    }

  private:
    Stream stream_;
};

namespace detail
{

class chacha_stream
{
  public:
    chacha_stream(view nonce, const key32 &key)
    {
        if (nonce.size() == 24) {
            check(xchacha20_poly1305_stream_init(&state_, nonce.data(), key.data()));
        } else {
            check_size(nonce.size(), 12);
            check(chacha20_poly1305_stream_init(&state_, nonce.data(), key.data()));
        }
    }
    chacha_stream(const chacha_stream &) = default;
    chacha_stream &operator=(const chacha_stream &) = default;
    ~chacha_stream()
    {
        aeadfast_wipe(&state_, sizeof(state_));
    }
    static constexpr std::size_t tag_size() noexcept
    {
        return 16;
    }
    int aad(view data)
    {
        return chacha20_poly1305_stream_aad(&state_, data.data(), data.size());
    }
    int seal_update(std::uint8_t *ct, view pt)
    {
        return chacha20_poly1305_stream_seal_update(&state_, ct, pt.data(), pt.size());
    }
    int seal_final(std::uint8_t *tag)
    {
        return chacha20_poly1305_stream_seal_final(&state_, tag);
    }
    int open_update(std::uint8_t *pt, view ct)
    {
        return chacha20_poly1305_stream_open_unverified_update(&state_, pt, ct.data(), ct.size());
    }
    int open_final(const std::uint8_t *tag)
    {
        return chacha20_poly1305_stream_open_final(&state_, tag);
    }

  private:
    chacha20_poly1305_stream state_;
};

class gcm_stream
{
  public:
    gcm_stream(view nonce, const aes_gcm_key &key, std::size_t tag_size) : tag_size_(tag_size)
    {
        check(aes_gcm_stream_init(&state_, &key, nonce.data(), nonce.size()));
    }
    gcm_stream(const gcm_stream &) = default;
    gcm_stream &operator=(const gcm_stream &) = default;
    ~gcm_stream()
    {
        aeadfast_wipe(&state_, sizeof(state_));
    }
    std::size_t tag_size() const noexcept
    {
        return tag_size_;
    }
    int aad(view data)
    {
        return aes_gcm_stream_aad(&state_, data.data(), data.size());
    }
    int seal_update(std::uint8_t *ct, view pt)
    {
        return aes_gcm_stream_seal_update(&state_, ct, pt.data(), pt.size());
    }
    int seal_final(std::uint8_t *tag)
    {
        return aes_gcm_stream_seal_final(&state_, tag);
    }
    int open_update(std::uint8_t *pt, view ct)
    {
        return aes_gcm_stream_open_unverified_update(&state_, pt, ct.data(), ct.size());
    }
    int open_final(const std::uint8_t *tag)
    {
        return aes_gcm_stream_open_final(&state_, tag);
    }

  private:
    aes_gcm_stream state_;
    std::size_t tag_size_;
};

} // namespace detail

/*
 * What the ciphers have in common. `Cipher` says how the C functions are called.
 *
 * seal and open come in two forms: into buffers of the caller's, with the tag apart, which allocate
 * nothing; and with vectors, where the tag stands behind the ciphertext.
 */
template <class Cipher> class aead
{
  public:
    /* As large as the text. May be the text itself, in place. `tag` is tag_size() bytes. */
    void seal(span ct, span tag, view pt, view aad, view nonce) const
    {
        detail::check_size(ct.size(), pt.size());
        detail::check_size(tag.size(), self().tag_size());
        detail::check(self().seal_raw(ct.data(), tag.data(), pt, aad, nonce));
    }

    /* False where the tag does not match; then all of `pt` is zero. */
    [[nodiscard]] bool open(span pt, view ct, view tag, view aad, view nonce) const
    {
        detail::check_size(pt.size(), ct.size());
        detail::check_size(tag.size(), self().tag_size());
        return detail::check_tag(self().open_raw(pt.data(), ct, tag.data(), aad, nonce));
    }

    /* The ciphertext with the tag behind it. */
    [[nodiscard]] bytes seal(view pt, view aad, view nonce) const
    {
        if (pt.size() > SIZE_MAX - self().tag_size()) {
            throw error(AEADFAST_ERR_LENGTH);
        }
        bytes sealed(pt.size() + self().tag_size());

        detail::check(self().seal_raw(sealed.data(), sealed.data() + pt.size(), pt, aad, nonce));
        return sealed;
    }

    /* The text, or nothing where the message was changed, cut short, or has another key. */
    [[nodiscard]] std::optional<bytes> open(view sealed, view aad, view nonce) const
    {
        if (sealed.size() < self().tag_size()) {
            return std::nullopt;
        }
        const view ct(sealed.data(), sealed.size() - self().tag_size());
        bytes pt(ct.size());

        if (!detail::check_tag(
                self().open_raw(pt.data(), ct, sealed.data() + ct.size(), aad, nonce))) {
            return std::nullopt;
        }
        return pt;
    }

    /*
     * Texts in several buffers, whose pieces need not match. Not for AES-GCM-SIV. These two allocate
     * the lists that the C functions take, and nothing else.
     */
    void sealv(const spans &ct, span tag, const views &pt, const views &aad, view nonce) const
    {
        detail::check_size(tag.size(), self().tag_size());
        detail::check(self().sealv_raw(detail::iovecs(ct), tag.data(), detail::iovecs(pt),
                                       detail::iovecs(aad), nonce));
    }
    [[nodiscard]] bool openv(const spans &pt, const views &ct, view tag, const views &aad,
                             view nonce) const
    {
        detail::check_size(tag.size(), self().tag_size());
        return detail::check_tag(self().openv_raw(detail::iovecs(pt), detail::iovecs(ct),
                                                  tag.data(), detail::iovecs(aad), nonce));
    }

  private:
    friend Cipher;
    aead() = default;
    const Cipher &self() const noexcept
    {
        return static_cast<const Cipher &>(*this);
    }
};

namespace detail
{

/* The C functions with 12-byte nonces, and those with 24-byte ones. */
struct chacha_functions {
    static constexpr std::size_t nonce_size = 12;
    static constexpr auto seal = chacha20_poly1305_seal;
    static constexpr auto open = chacha20_poly1305_open;
    static constexpr auto sealv = chacha20_poly1305_sealv;
    static constexpr auto openv = chacha20_poly1305_openv;
};

struct xchacha_functions {
    static constexpr std::size_t nonce_size = 24;
    static constexpr auto seal = xchacha20_poly1305_seal;
    static constexpr auto open = xchacha20_poly1305_open;
    static constexpr auto sealv = xchacha20_poly1305_sealv;
    static constexpr auto openv = xchacha20_poly1305_openv;
};

/* What ChaCha20-Poly1305 and XChaCha20-Poly1305 have in common. */
template <class Functions> class chacha
{
  public:
    static constexpr std::size_t tag_size() noexcept
    {
        return 16;
    }
    static constexpr std::size_t nonce_size() noexcept
    {
        return Functions::nonce_size;
    }
    [[nodiscard]] sealing<chacha_stream> sealer(view nonce) const
    {
        return sealing<chacha_stream>(chacha_stream(checked(nonce), key_));
    }
    [[nodiscard]] opening<chacha_stream> opener(view nonce) const
    {
        return opening<chacha_stream>(chacha_stream(checked(nonce), key_));
    }

  protected:
    using pieces = std::vector<aeadfast_iovec>;
    explicit chacha(view secret) : key_(secret)
    {
    }
    int seal_raw(std::uint8_t *ct, std::uint8_t *tag, view pt, view aad, view nonce) const
    {
        return Functions::seal(ct, tag, pt.data(), pt.size(), aad.data(), aad.size(),
                               checked(nonce).data(), key_.data());
    }
    int open_raw(std::uint8_t *pt, view ct, const std::uint8_t *tag, view aad, view nonce) const
    {
        return Functions::open(pt, ct.data(), ct.size(), tag, aad.data(), aad.size(),
                               checked(nonce).data(), key_.data());
    }
    int sealv_raw(const pieces &ct, std::uint8_t *tag, const pieces &pt, const pieces &aad,
                  view nonce) const
    {
        return Functions::sealv(ct.data(), ct.size(), tag, pt.data(), pt.size(), aad.data(),
                                aad.size(), checked(nonce).data(), key_.data());
    }
    int openv_raw(const pieces &pt, const pieces &ct, const std::uint8_t *tag, const pieces &aad,
                  view nonce) const
    {
        return Functions::openv(pt.data(), pt.size(), ct.data(), ct.size(), tag, aad.data(),
                                aad.size(), checked(nonce).data(), key_.data());
    }

  private:
    static view checked(view nonce)
    {
        check_size(nonce.size(), nonce_size());
        return nonce;
    }

    key32 key_;
};

} // namespace detail

/* RFC 8439: 32-byte keys, 12-byte nonces. */
class chacha20_poly1305 : public aead<chacha20_poly1305>,
                          public detail::chacha<detail::chacha_functions>
{
  public:
    explicit chacha20_poly1305(view key) : chacha(key)
    {
    }

  private:
    friend aead<chacha20_poly1305>;
};

/* The same with 24-byte nonces, which may be random. */
class xchacha20_poly1305 : public aead<xchacha20_poly1305>,
                           public detail::chacha<detail::xchacha_functions>
{
  public:
    explicit xchacha20_poly1305(view key) : chacha(key)
    {
    }

  private:
    friend aead<xchacha20_poly1305>;
};

/* SP 800-38D: keys of 16, 24 or 32 bytes, nonces of any size but 0 (12 is the fast one). */
class aes_gcm : public aead<aes_gcm>
{
  public:
    explicit aes_gcm(view key, std::size_t tag_size = 16) : tag_size_(tag_size)
    {
        detail::check(aes_gcm_init_tag(&key_, key.data(), key.size(), tag_size));
    }
    aes_gcm(const aes_gcm &) = default;
    aes_gcm &operator=(const aes_gcm &) = default;
    ~aes_gcm()
    {
        aes_gcm_wipe(&key_);
    }
    std::size_t tag_size() const noexcept
    {
        return tag_size_;
    }
    /* This object must outlive what it begins, and stay where it is. */
    [[nodiscard]] sealing<detail::gcm_stream> sealer(view nonce) const &
    {
        return sealing<detail::gcm_stream>(detail::gcm_stream(nonce, key_, tag_size_));
    }
    [[nodiscard]] opening<detail::gcm_stream> opener(view nonce) const &
    {
        return opening<detail::gcm_stream>(detail::gcm_stream(nonce, key_, tag_size_));
    }
    sealing<detail::gcm_stream> sealer(view nonce) const && = delete;
    opening<detail::gcm_stream> opener(view nonce) const && = delete;

  private:
    friend aead<aes_gcm>;
    using pieces = std::vector<aeadfast_iovec>;
    int sealv_raw(const pieces &ct, std::uint8_t *tag, const pieces &pt, const pieces &aad,
                  view nonce) const
    {
        return aes_gcm_sealv(&key_, ct.data(), ct.size(), tag, pt.data(), pt.size(), aad.data(),
                             aad.size(), nonce.data(), nonce.size());
    }
    int openv_raw(const pieces &pt, const pieces &ct, const std::uint8_t *tag, const pieces &aad,
                  view nonce) const
    {
        return aes_gcm_openv(&key_, pt.data(), pt.size(), ct.data(), ct.size(), tag, aad.data(),
                             aad.size(), nonce.data(), nonce.size());
    }
    int seal_raw(std::uint8_t *ct, std::uint8_t *tag, view pt, view aad, view nonce) const
    {
        return aes_gcm_seal(&key_, ct, tag, pt.data(), pt.size(), aad.data(), aad.size(),
                            nonce.data(), nonce.size());
    }
    int open_raw(std::uint8_t *pt, view ct, const std::uint8_t *tag, view aad, view nonce) const
    {
        return aes_gcm_open(&key_, pt, ct.data(), ct.size(), tag, aad.data(), aad.size(),
                            nonce.data(), nonce.size());
    }

    aes_gcm_key key_;
    std::size_t tag_size_;
};

/* RFC 8452: keys of 16 or 32 bytes, 12-byte nonces, which may come twice and cost little then. */
class aes_gcm_siv : public aead<aes_gcm_siv>
{
  public:
    explicit aes_gcm_siv(view key)
    {
        detail::check(aes_gcm_siv_init(&key_, key.data(), key.size()));
    }
    aes_gcm_siv(const aes_gcm_siv &) = default;
    aes_gcm_siv &operator=(const aes_gcm_siv &) = default;
    ~aes_gcm_siv()
    {
        aes_gcm_siv_wipe(&key_);
    }
    static constexpr std::size_t tag_size() noexcept
    {
        return 16;
    }
    static constexpr std::size_t nonce_size() noexcept
    {
        return 12;
    }

  private:
    friend aead<aes_gcm_siv>;
    int seal_raw(std::uint8_t *ct, std::uint8_t *tag, view pt, view aad, view nonce) const
    {
        detail::check_size(nonce.size(), nonce_size());
        return aes_gcm_siv_seal(&key_, ct, tag, pt.data(), pt.size(), aad.data(), aad.size(),
                                nonce.data());
    }
    int open_raw(std::uint8_t *pt, view ct, const std::uint8_t *tag, view aad, view nonce) const
    {
        detail::check_size(nonce.size(), nonce_size());
        return aes_gcm_siv_open(&key_, pt, ct.data(), ct.size(), tag, aad.data(), aad.size(),
                                nonce.data());
    }

    aes_gcm_siv_key key_;
};

/*
 * Many messages in one call: arrays of the C structures, of which each gets its own result. True
 * where every message was sealed, or is genuine; false where some are forged; whatever else is wrong
 * with one of them is thrown, and the others are done all the same.
 */
namespace detail
{

template <class Messages, class Function> bool many(Messages &messages, Function function)
{
    bool genuine = true;
    int result = function(std::data(messages), std::size(messages));

    if (result == AEADFAST_OK) {
        return true;
    }
    if (std::size(messages) == 0) {
        throw error(result);
    }
    for (const auto &message : messages) {
        genuine = check_tag(message.result) && genuine;
    }
    return genuine;
}

} // namespace detail

template <class Messages> void seal_many(Messages &&messages)
{
    using message = std::remove_cv_t<detail::element<Messages>>;

    if constexpr (std::is_same_v<message, aes_gcm_message>) {
        (void)detail::many(messages, aes_gcm_seal_many);
    } else {
        (void)detail::many(messages, chacha20_poly1305_seal_many);
    }
}

template <class Messages> [[nodiscard]] bool open_many(Messages &&messages)
{
    using message = std::remove_cv_t<detail::element<Messages>>;

    if constexpr (std::is_same_v<message, aes_gcm_message>) {
        return detail::many(messages, aes_gcm_open_many);
    } else {
        return detail::many(messages, chacha20_poly1305_open_many);
    }
}

/* Poly1305 of a whole message; a key is for one message. */
[[nodiscard]] inline tag16 poly1305(view msg, view key)
{
    tag16 tag;

    detail::check_size(key.size(), 32);
    detail::check(poly1305_mac(tag.data(), msg.data(), msg.size(), key.data()));
    return tag;
}

/* dst = src xor the key stream of ChaCha20 from block `counter` on. dst may be src. */
inline void chacha20(span dst, view src, std::uint32_t counter, view nonce, view key)
{
    detail::check_size(dst.size(), src.size());
    detail::check_size(nonce.size(), 12);
    detail::check_size(key.size(), 32);
    detail::check(
        chacha20_xor(dst.data(), src.data(), src.size(), counter, nonce.data(), key.data()));
}

/* Whether two pieces of memory are equal, in a time that tells nothing but their sizes. */
[[nodiscard]] inline bool equal(view a, view b) noexcept
{
    return a.size() == b.size() && aeadfast_equal(a.data(), b.data(), a.size()) == 1;
}

/* Zeroes it in a way that no compiler leaves out. */
inline void wipe(span secret) noexcept
{
    aeadfast_wipe(secret.data(), secret.size());
}

} // namespace aeadfast

#endif
