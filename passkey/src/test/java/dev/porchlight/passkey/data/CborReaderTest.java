// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CborReaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0000                 | bytes after the end",
                "a201000100           | a duplicate map key",
                "a261310061310a       | a duplicate map key",
                "a2413100413100       | a duplicate map key",
                "9fff                 | an indefinite length",
                "bfff                 | an indefinite length",
                "5f4100ff             | an indefinite length",
                "7f6100ff             | an indefinite length",
                "82                   | ends in the middle of an item",
                "8200                 | ends in the middle of an item",
                "a100                 | ends in the middle of an item",
                "4200                 | ends in the middle of an item",
                "19ff                 | ends in the middle of an item",
                "''                   | ends in the middle of an item",
                "c000                 | a CBOR tag",
                "d9d9f700             | a CBOR tag",
                "f90000               | a floating point number",
                "fa00000000           | a floating point number",
                "fb0000000000000000   | a floating point number",
                "f7                   | a simple value other than false, true and null",
                "f820                 | a simple value other than false, true and null",
                "ff                   | a break without an indefinite length",
                "1c                   | a reserved CBOR head",
                "1817                 | a number not in its shortest form",
                "1900ff               | a number not in its shortest form",
                "1a0000ffff           | a number not in its shortest form",
                "1b00000000ffffffff   | a number not in its shortest form",
                "3817                 | a number not in its shortest form",
                "580100               | a number not in its shortest form",
                "1b8000000000000000   | an integer beyond 64 bits",
                "3b8000000000000000   | an integer beyond 64 bits",
                "61ff                 | text that is not UTF-8",
                "63eda080             | text that is not UTF-8",
                "62c080               | text that is not UTF-8",
                "a1f600               | a map key that is neither a number nor a string",
                "a18000               | a map key that is neither a number nor a string",
                "81818181818181818100 | nested deeper than 8",
                "9affffffff           | ends in the middle of an item",
                "9bffffffffffffffff   | ends in the middle of an item",
                "5b7fffffffffffffff   | ends in the middle of an item",
                "ba80000000           | ends in the middle of an item"
            })
    void T33_invalid_cbor_is_refused_with_the_reason(String hex, String reason) {
        assertThatThrownBy(() -> CborReader.read(Bytes.ofHex(hex), "attestationObject"))
                .isInstanceOf(MalformedException.class)
                .hasMessage("attestationObject: " + reason);
    }

    @Test
    void T33_a_number_and_a_text_are_different_keys() throws MalformedException {
        CborMap map = CborReader.readMap(Bytes.ofHex("a3010a613114413118ff".replace("18ff", "181e")), "map");
        assertThat(map.get(1)).isEqualTo(new CborValue.Int(10));
        assertThat(map.get("1")).isEqualTo(new CborValue.Int(20));
        assertThat(map.get(new CborValue.ByteString(Bytes.ofHex("31")))).isEqualTo(new CborValue.Int(30));
        assertThat(map.get(2)).isNull();
    }

    @Test
    void integers_of_64_bits_are_parsed() throws MalformedException {
        assertThat(CborReader.read(Bytes.ofHex("1b7fffffffffffffff"), "n"))
                .isEqualTo(new CborValue.Int(Long.MAX_VALUE));
        assertThat(CborReader.read(Bytes.ofHex("3b7fffffffffffffff"), "n"))
                .isEqualTo(new CborValue.Int(Long.MIN_VALUE));
    }

    @Test
    void the_order_of_keys_does_not_matter() throws MalformedException {
        assertThat(CborReader.read(Bytes.ofHex("a220010102"), "map"))
                .isEqualTo(CborReader.read(Bytes.ofHex("a201022001"), "map"));
    }

    @Test
    void eight_levels_are_accepted() throws MalformedException {
        assertThat(CborReader.read(Bytes.ofHex("818181818181818100"), "deep")).isInstanceOf(CborValue.Array.class);
    }

    @Test
    void a_map_of_more_than_64_entries_is_refused() throws MalformedException {
        Object[] entries = new Object[2 * 65];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = i;
        }
        Bytes tooMany = CborEncoder.encode(CborEncoder.map(entries));
        assertThatThrownBy(() -> CborReader.read(tooMany, "map")).hasMessage("map: a map of more than 64 entries");
        Bytes enough = CborEncoder.encode(CborEncoder.map(java.util.Arrays.copyOf(entries, 2 * 64)));
        assertThat(CborReader.readMap(enough, "map").size()).isEqualTo(64);
    }

    @Test
    void more_than_64_kibibytes_are_refused() throws MalformedException {
        Bytes most = CborEncoder.encode(new CborValue.ByteString(Bytes.copyOf(new byte[65_536 - 3])));
        assertThat(CborReader.read(most, "item")).isInstanceOf(CborValue.ByteString.class);
        Bytes more = CborEncoder.encode(new CborValue.ByteString(Bytes.copyOf(new byte[65_536 - 2])));
        assertThatThrownBy(() -> CborReader.read(more, "item")).hasMessage("item: more than 65536 bytes");
    }

    @Test
    void the_position_moves_to_the_next_item() throws MalformedException {
        var reader = new CborReader(Bytes.ofHex("ffa10102a0"), 1, "key");
        assertThat(reader.nextMap()).isEqualTo(CborEncoder.map(1, 2));
        assertThat(reader.position()).isEqualTo(4);
        assertThat(reader.nextMap().isEmpty()).isTrue();
        assertThat(reader.position()).isEqualTo(5);
    }

    @Test
    void an_item_other_than_a_map_is_refused() {
        assertThatThrownBy(() -> CborReader.readMap(Bytes.ofHex("80"), "attStmt"))
                .hasMessage("attStmt: not a CBOR map");
        assertThatThrownBy(() -> CborReader.readMap(Bytes.ofHex("a000"), "attStmt"))
                .hasMessage("attStmt: bytes after the end");
    }
}
