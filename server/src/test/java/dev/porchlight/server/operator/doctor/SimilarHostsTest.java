// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimilarHostsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "grafana.examp1e.com",
                "exmaple.com",
                "example.co",
                "login.example.com.evil.net",
                "example.com.evil.net",
                "xn--exmple-4nf.com" // a Cyrillic letter
            })
    void a_host_that_looks_like_the_service_is_similar(String host) {
        assertThat(SimilarHosts.areSimilar("login.example.com", host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "login.example.com",
                "login2.example.com",
                "example.com",
                "grafana.example.com",
                "example.org",
                "grafana.other.net",
                "127.0.0.1",
                "localhost",
                ""
            })
    void other_hosts_are_not_similar(String host) {
        assertThat(SimilarHosts.areSimilar("login.example.com", host)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.dk", "wiki.example.se"})
    void the_domain_of_another_country_is_not_similar(String host) {
        assertThat(SimilarHosts.areSimilar("login.example.de", host)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"login2.example.co.uk", "abc.co.uk", "localhost"})
    void suffixes_that_many_share_are_not_compared(String host) {
        assertThat(SimilarHosts.areSimilar("login.example.co.uk", host)).isFalse();
    }
}
