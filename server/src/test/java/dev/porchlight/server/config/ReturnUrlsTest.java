// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnUrlsTest {
    private static final ReturnUrls URLS =
            ReturnUrls.parse("https://app.example.com/, https://shop.example.com:8443/cart,http://localhost:3000");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/account",
                "/a/b?next=https%3A%2F%2Fevil.example#part",
                "/@evil.example",
                "https://app.example.com",
                "https://app.example.com/",
                "https://app.example.com/orders?page=2#top",
                "HTTPS://APP.example.com:443/orders",
                "https://shop.example.com:8443/cart",
                "https://shop.example.com:8443/cart/1?x=/../",
                "http://localhost:3000/callback"
            })
    void paths_and_configured_urls_are_allowed(String address) {
        assertThat(URLS.allows(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "account",
                "//evil.example",
                "///evil.example",
                "/\\evil.example",
                "\\\\evil.example",
                "/\t/evil.example",
                "/\n/evil.example",
                " /account",
                "/account ",
                "/\u00e9",
                "/\u2028",
                "https:evil.example",
                "https:/evil.example",
                "https:///evil.example",
                "https://evil.example/",
                "https://app.example.com.evil.example/",
                "https://app.example.com@evil.example/",
                "https://evil.example@app.example.com/",
                "https://app.example.com\\@evil.example/",
                "https://app.example.com:8443/",
                "https://app.example.com:/",
                "http://app.example.com/",
                "https://shop.example.com:8443/",
                "https://shop.example.com:8443/carts",
                "https://shop.example.com:8443/cart/../admin",
                "https://shop.example.com:8443/cart/%2e%2e/admin",
                "https://shop.example.com:8443/cart/%2E./admin",
                "https://shop.example.com:8443/cart/..",
                "https://shop.example.com:8443/cart%2fadmin",
                "https://shop.example.com:8443/cart//admin",
                "http://localhost:3001/",
                "http://127.0.0.1:3000/",
                "javascript:alert(1)",
                "data:text/html,x",
                "file:///etc/passwd",
                "https://[::1]/",
                "https://app.example.com%2f.evil.example/"
            })
    void other_addresses_are_refused(String address) {
        assertThat(URLS.allows(address)).isFalse();
    }

    @Test
    void without_configuration_only_paths_are_allowed() {
        ReturnUrls none = ReturnUrls.parse("");

        assertThat(none.allows("/account")).isTrue();
        assertThat(none.allows("https://app.example.com/")).isFalse();
    }

    @Test
    void a_long_address_is_refused() {
        assertThat(URLS.allows("/" + "a".repeat(2047))).isTrue();
        assertThat(URLS.allows("/" + "a".repeat(2048))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app.example.com",
                "/path",
                "http://app.example.com/",
                "https://user@app.example.com/",
                "https://app.example.com/?a=b",
                "https://app.example.com/#a",
                "https://app.example.com/a/../b",
                "https://*.example.com/",
                "https://"
            })
    void an_invalid_setting_is_refused(String text) {
        assertThatThrownBy(() -> ReturnUrls.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https://app.example.com/");
    }
}
