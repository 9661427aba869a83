// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BytesTest {
    private final Bytes abc = Bytes.ofUtf8("abc");

    @Test
    void changing_the_source_array_does_not_change_the_bytes() {
        byte[] array = {1, 2, 3};
        Bytes bytes = Bytes.copyOf(array);
        array[0] = 9;
        assertThat(bytes).isEqualTo(Bytes.ofHex("010203"));
    }

    @Test
    void changing_a_returned_array_does_not_change_the_bytes() {
        abc.toByteArray()[0] = 0;
        assertThat(abc).isEqualTo(Bytes.ofHex("616263"));
    }

    @Test
    void equality_is_by_content() {
        assertThat(Bytes.copyOf(new byte[] {97, 98, 99})).isEqualTo(abc).hasSameHashCodeAs(abc);
        assertThat(abc).isNotEqualTo(Bytes.ofUtf8("abd")).isNotEqualTo("abc");
    }

    @Test
    void constant_time_comparison_is_by_content() {
        assertThat(abc.equalsInConstantTime(Bytes.ofUtf8("abc"))).isTrue();
        assertThat(abc.equalsInConstantTime(Bytes.ofUtf8("abd"))).isFalse();
        assertThat(abc.equalsInConstantTime(Bytes.ofUtf8("ab"))).isFalse();
        assertThat(Bytes.EMPTY.equalsInConstantTime(Bytes.ofHex(""))).isTrue();
    }

    @Test
    void slices_concatenate_to_the_whole() {
        assertThat(abc.slice(1, 3)).isEqualTo(Bytes.ofUtf8("bc"));
        assertThat(abc.slice(1, 1)).isSameAs(Bytes.EMPTY);
        assertThat(abc.slice(0, 1).concat(abc.slice(1, 3))).isEqualTo(abc);
        assertThatThrownBy(() -> abc.slice(1, 4)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void single_bytes_are_unsigned() {
        assertThat(Bytes.ofHex("7fff").at(1)).isEqualTo(255);
        assertThat(Bytes.ofHex("7fff").size()).isEqualTo(2);
        assertThat(Bytes.ofHex("7fff").isEmpty()).isFalse();
        assertThat(Bytes.EMPTY.isEmpty()).isTrue();
    }

    @Test
    void sha256_matches_a_known_digest() {
        assertThat(abc.sha256().hex()).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void toString_shows_only_the_first_bytes() {
        assertThat(Bytes.ofHex("0102030405060708")).hasToString("8 bytes (01020304…)");
        assertThat(Bytes.ofHex("01020304")).hasToString("4 bytes (01020304)");
        assertThat(Bytes.EMPTY).hasToString("0 bytes");
    }
}
