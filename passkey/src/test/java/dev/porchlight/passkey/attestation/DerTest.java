// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.porchlight.base.MalformedException;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DerTest {
    private static Der der(String hex) {
        return Der.over(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static void read(Der der) throws MalformedException {
        while (der.hasNext()) {
            der.skip();
        }
    }

    @Test
    void a_sequence_can_be_entered_and_left() throws MalformedException {
        Der der = der("30 06 02 01 05 04 01 ff 05 00");
        Der sequence = der.enter(Der.SEQUENCE);
        assertThat(sequence.number(Der.INTEGER)).isEqualTo(5);
        assertThat(sequence.bytes(Der.OCTET_STRING)).containsExactly(0xff);
        sequence.finish();
        assertThat(der.peek()).isEqualTo(Der.NULL);
        der.skip();
        der.finish();
        assertThat(der.hasNext()).isFalse();
    }

    @Test
    void long_tags_and_lengths_are_read() throws MalformedException {
        Der der = der("bf 85 3e 81 80" + "00".repeat(128));
        assertThat(der.peek()).isEqualTo(Der.explicit(702));
        assertThat(Der.isExplicit(der.peek())).isTrue();
        assertThat(der.bytes(Der.explicit(702))).hasSize(128);
        assertThat(Der.isExplicit(Der.SEQUENCE)).isFalse();
        assertThat(der("82 00").peek()).matches(tag -> !Der.isExplicit(tag), "a primitive tag is not explicit");
    }

    @ParameterizedTest
    @CsvSource({
        "02 01 00, 0",
        "02 01 7f, 127",
        "02 01 80, -128",
        "02 02 00 80, 128",
        "02 02 ff 7f, -129",
        "02 04 7f ff ff ff, 2147483647",
        "02 04 80 00 00 00, -2147483648"
    })
    void numbers_are_read(String hex, int value) throws MalformedException {
        assertThat(der(hex).number(Der.INTEGER)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"02 00", "02 02 00 7f", "02 02 ff 80", "02 05 01 00 00 00 00", "0a 01 01"})
    void padded_and_large_numbers_and_other_types_are_refused(String hex) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> der(hex).number(Der.INTEGER));
    }

    @ParameterizedTest
    @CsvSource({
        "06 03 55 04 0b, 2.5.4.11",
        "06 05 67 81 05 08 03, 2.23.133.8.3",
        "06 0a 2b 06 01 04 01 d6 79 02 01 11, 1.3.6.1.4.1.11129.2.1.17",
        "06 01 27, 0.39",
        "06 01 28, 1.0",
        "06 02 81 34, 2.100"
    })
    void object_identifiers_are_read(String hex, String dotted) throws MalformedException {
        assertThat(der(hex).oid()).isEqualTo(dotted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"06 00", "06 02 55 80", "06 03 55 80 01", "06 07 55 ff ff ff ff ff 7f", "06 41 %s"})
    void truncated_padded_and_large_object_identifiers_are_refused(String hex) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> der(hex.formatted("01".repeat(65))).oid());
    }

    @ParameterizedTest
    @CsvSource({"0c 02 c3 a9, é", "13 02 41 41, AA", "16 02 69 64, id"})
    void texts_are_read(String hex, String text) throws MalformedException {
        assertThat(der(hex).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0c 01 c3", "13 02 c3 a9", "16 01 80", "14 01 41", "04 01 41"})
    void texts_of_other_types_or_character_sets_are_refused(String hex) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> der(hex).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "30", // no length
                "30 80 00 00", // indefinite length
                "30 81 7f" + "", // long form of a short length
                "04 81 05 00 00 00 00 00", // long form of a short length, with content
                "04 82 00 80", // leading zero in a length
                "04 84 00 00 00 01 00", // a length of four bytes
                "04 83 ff ff ff 00", // longer than the input
                "04 02 00", // truncated
                "1f 80 01 00", // a tag with a leading zero
                "1f 1e 00", // long form of a short tag
                "1f 81 80 80 00 00", // an enormous tag
                "bf 85" // a truncated tag
            })
    void invalid_der_is_refused(String hex) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> read(der(hex)));
    }

    @Test
    void unexpected_types_and_trailing_bytes_are_refused() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> der("31 00").enter(Der.SEQUENCE));
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> der("05 00").finish());
    }

    /** T33 for DER: arbitrary bytes only throw the declared exception. */
    @Property
    void arbitrary_bytes_only_throw_malformed_exceptions(@ForAll @Size(max = 64) byte[] bytes) {
        attempt(() -> read(Der.over(bytes)));
        attempt(() -> Der.over(bytes).oid());
        attempt(() -> Der.over(bytes).number(Der.INTEGER));
        attempt(() -> Der.over(bytes).text());
        attempt(() -> DirectoryName.read(bytes));
        attempt(() -> KeyDescription.read(bytes));
        attempt(() -> KeyDescription.AuthorizationList.read(Der.over(bytes)));
    }

    private interface Reading {
        void run() throws MalformedException;
    }

    private static void attempt(Reading reading) {
        try {
            reading.run();
        } catch (MalformedException expected) {
            assertThat(expected).hasMessageContaining(": ");
        }
    }
}
