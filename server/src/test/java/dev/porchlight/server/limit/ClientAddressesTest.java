// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressesTest {
    private final ClientAddresses behindProxies = new ClientAddresses(List.of("10.0.0.0/8", "::1", "192.0.2.7"));

    @ParameterizedTest(name = "{0} forwarding \"{1}\" is {2}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "203.0.113.5 | -                             | 203.0.113.5",
                "203.0.113.5 | 198.51.100.1                  | 203.0.113.5",
                "10.1.2.3    | 198.51.100.1                  | 198.51.100.1",
                "10.1.2.3    | 1.1.1.1, 198.51.100.1         | 198.51.100.1",
                "10.1.2.3    | 198.51.100.1, 192.0.2.7       | 198.51.100.1",
                "::1         | 2001:db8::1                   | 2001:db8::1",
                "10.1.2.3    | 198.51.100.1:5678             | 198.51.100.1",
                "10.1.2.3    | 198.51.100.1, 192.0.2.7:443   | 198.51.100.1",
                "::1         | [2001:db8::1]:5678            | 2001:db8::1",
                "::1         | [2001:db8::1]                 | 2001:db8::1",
                "10.1.2.3    | 198.51.100.1:                 | 10.1.2.3",
                "10.1.2.3    | [198.51.100.1]:x              | 10.1.2.3",
                "10.1.2.3    | [2001:db8::1                  | 10.1.2.3",
                "10.1.2.3    | localhost                     | 10.1.2.3",
                "10.1.2.3    | 198.51.100.1, garbage         | 10.1.2.3",
                "10.1.2.3    | 10.9.9.9                      | 10.9.9.9",
            })
    void only_trusted_proxies_determine_the_client_address(String peer, String forwarded, String client) {
        assertThat(behindProxies.clientOf(peer, forwarded)).isEqualTo(client);
    }

    @Test
    void without_trusted_proxies_the_header_is_ignored() {
        assertThat(new ClientAddresses(List.of()).clientOf("127.0.0.1", "198.51.100.1"))
                .isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "example.org", "10.0.0.0/33", "10.0.0.0/x", "::/129", "10.0.0"})
    void an_invalid_address_is_refused(String proxy) {
        assertThatThrownBy(() -> new ClientAddresses(List.of(proxy))).isInstanceOf(IllegalArgumentException.class);
    }
}
