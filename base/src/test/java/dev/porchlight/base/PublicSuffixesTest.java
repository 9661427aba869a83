// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicSuffixesTest {
    @ParameterizedTest
    @ValueSource(strings = {"com", "co.uk", "github.io", "name.ck"})
    void listed_domains_are_public_suffixes(String domain) {
        assertThat(PublicSuffixes.contains(domain)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com", "www.ck", "intranet", "localhost", "", "ac\ncom.ac", "# The"})
    void other_texts_are_not(String domain) {
        assertThat(PublicSuffixes.contains(domain)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "login.example.co.uk, example.co.uk",
        "a.b.example.com, example.com",
        "example.com, example.com",
        "localhost, localhost"
    })
    void the_registrable_part_is_one_label_below_the_suffix(String host, String registrable) {
        assertThat(PublicSuffixes.registrable(host)).isEqualTo(registrable);
    }
}
