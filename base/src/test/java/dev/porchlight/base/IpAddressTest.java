// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IpAddressTest {
    @Test
    void ipv6_addresses_are_counted_by_their_64_bit_prefix() {
        assertThat(IpAddress.limitKey("2001:db8:1:2:3:4:5:6"))
                .isEqualTo(IpAddress.limitKey("2001:db8:1:2::1"))
                .isEqualTo(IpAddress.limitKey("[2001:db8:1:2::1]"))
                .isNotEqualTo(IpAddress.limitKey("2001:db8:1:3::1"));
    }

    @Test
    void ipv4_addresses_are_counted_in_any_notation() {
        assertThat(IpAddress.limitKey("203.0.113.5"))
                .isEqualTo(IpAddress.limitKey("::ffff:203.0.113.5"))
                .isEqualTo(IpAddress.limitKey("::FFFF:cb00:7105"))
                .isNotEqualTo(IpAddress.limitKey("203.0.113.6"));
    }

    @Test
    void a_name_is_not_resolved() {
        assertThat(IpAddress.bytes("localhost")).isNull();
        assertThat(IpAddress.limitKey("localhost")).isEqualTo("localhost");
    }
}
