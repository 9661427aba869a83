// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.JsonTree;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names that the pages show, which client/test/account.test.js tests. */
class PasskeyNamesTest {
    private static final PasskeyNames NAMES = new PasskeyNames();
    private static final String FIREFOX =
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";

    @Test
    void passkeys_are_named_by_user_provider_kind_or_browser_and_equal_names_are_numbered() {
        List<Map<String, Object>> passkeys = Stream.of(
                        "{'name':'Laptop'}",
                        "{'aaguid':'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4','transports':['internal']}",
                        "{'aaguid':'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'}",
                        "{'transports':['usb','nfc']}",
                        "{'transports':['usb'],'authenticator':{'name':'Soft key'}}",
                        "{'transports':['internal','hybrid'],'userAgent':'" + FIREFOX + "'}",
                        "{'transports':[]}")
                .map(passkey -> JsonTree.parse(passkey.replace('\'', '"')))
                .toList();

        NAMES.addTitles(passkeys);

        assertThat(passkeys)
                .extracting(passkey -> passkey.get("title"))
                .containsExactly(
                        "Laptop",
                        "Google Password Manager",
                        "Google Password Manager (2)",
                        "Security key",
                        "Soft key",
                        "Firefox on Windows",
                        "Passkey");
    }

    @ParameterizedTest
    @CsvSource({
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15, Safari on Mac",
        "Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0.0.0 Mobile Safari/537.36, Chrome on Android",
        "Mozilla/5.0 (Windows NT 10.0) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0, Edge on Windows",
        "curl/8.14.1, curl",
        "'', An application",
    })
    void browsers_have_the_names_of_the_pages(String userAgent, String name) {
        assertThat(NAMES.browserOf(userAgent)).isEqualTo(name);
    }
}
