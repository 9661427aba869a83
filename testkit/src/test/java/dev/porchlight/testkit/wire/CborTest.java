// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Examples from RFC 8949, appendix A, and the key order of CTAP2. */
class CborTest {
    @Test
    void numbers_have_their_shortest_form() {
        assertThat(hex(0)).isEqualTo("00");
        assertThat(hex(23)).isEqualTo("17");
        assertThat(hex(24)).isEqualTo("1818");
        assertThat(hex(1000)).isEqualTo("1903e8");
        assertThat(hex(1_000_000)).isEqualTo("1a000f4240");
        assertThat(hex(1_000_000_000_000L)).isEqualTo("1b000000e8d4a51000");
        assertThat(hex(-1)).isEqualTo("20");
        assertThat(hex(-100)).isEqualTo("3863");
        assertThat(hex(-1000)).isEqualTo("3903e7");
    }

    @Test
    void strings_lists_maps_and_booleans_are_encoded() {
        assertThat(hex(Octets.of(1, 2, 3, 4))).isEqualTo("4401020304");
        assertThat(hex("ü")).isEqualTo("62c3bc");
        assertThat(hex(List.of(1, List.of(2, 3)))).isEqualTo("8201820203");
        assertThat(hex(Cbor.map("a", 1, "b", List.of(2, 3)))).isEqualTo("a26161016162820203");
        assertThat(hex(List.of(false, true))).isEqualTo("82f4f5");
    }

    @Test
    void keys_are_sorted_by_type_length_and_octets() {
        assertThat(hex(Cbor.map("aa", 0, "b", 0, -1, 0, 100, 0, 10, 0)))
                .isEqualTo("a5" + "0a00" + "186400" + "2000" + "616200" + "62616100");
    }

    @Test
    void raw_octets_are_written_unchanged() {
        assertThat(hex(List.of(new Cbor.Raw(Octets.of(0x5f, 0xff))))).isEqualTo("815fff");
    }

    private static String hex(Object value) {
        return HexFormat.of().formatHex(Cbor.encode(value));
    }
}
