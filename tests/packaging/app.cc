/* SPDX-License-Identifier: MIT */
// The library from C++: status 0 where a forged message is refused and a good one is not.
#include <aeadfast.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

int main()
{
    const std::array<std::uint8_t, 32> key{};
    const std::array<std::uint8_t, 24> nonce{};
    const std::string text = "attack at dawn";
    std::vector<std::uint8_t> sealed(text.begin(), text.end());
    std::array<std::uint8_t, 16> tag;

    if (xchacha20_poly1305_seal(sealed.data(), tag.data(), sealed.data(), sealed.size(), nullptr, 0,
                                nonce.data(), key.data()) != AEADFAST_OK) {
        return 1;
    }
    std::vector<std::uint8_t> opened(sealed.size());
    if (xchacha20_poly1305_open(opened.data(), sealed.data(), sealed.size(), tag.data(), nullptr, 0,
                                nonce.data(), key.data()) != AEADFAST_OK ||
        std::string(opened.begin(), opened.end()) != text) {
        return 1;
    }
    sealed[0] = static_cast<std::uint8_t>(sealed[0] ^ 1);
    return xchacha20_poly1305_open(opened.data(), sealed.data(), sealed.size(), tag.data(), nullptr,
                                   0, nonce.data(), key.data()) != AEADFAST_ERR_AUTH;
}
