// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EcdsaSignatureTest {
    private static final String N = "00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    private static final String N_MINUS_1 = "00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550";

    @Test
    void the_smallest_and_greatest_numbers_are_accepted() throws MalformedException {
        assertThat(EcdsaSignature.parse(EcCurve.P256, Bytes.ofHex("3006020101020101")))
                .isEqualTo(new EcdsaSignature(EcCurve.P256, BigInteger.ONE, BigInteger.ONE));
        BigInteger most = EcCurve.P256.n.subtract(BigInteger.ONE);
        assertThat(EcdsaSignature.parse(EcCurve.P256, Bytes.ofHex("30460221" + N_MINUS_1 + "0221" + N_MINUS_1)))
                .isEqualTo(new EcdsaSignature(EcCurve.P256, most, most));
    }

    @ParameterizedTest
    @CsvSource({
        "3006020100020101, r or s is outside 1 to n-1",
        "3006020101020100, r or s is outside 1 to n-1",
        "3006020100020100, r or s is outside 1 to n-1",
        "30260221" + N + "020101, r or s is outside 1 to n-1",
        "30260201010221" + N + ", r or s is outside 1 to n-1"
    })
    void T28_numbers_outside_1_to_n_minus_1_are_refused(String hex, String reason) {
        refuse(hex, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "'', not one DER sequence",
        "00, not one DER sequence",
        "3000, not one DER sequence",
        "deadbeefdeadbeef, not one DER sequence",
        "3106020101020101, not one DER sequence",
        "300602010102010100, not one DER sequence",
        "3007020101020101, not one DER sequence",
        "308106020101020101, not one DER sequence",
        "30800201010201010000, not one DER sequence",
        "300702010102010100, more than two integers",
        "3009020101020101020101, more than two integers",
        "3006030101020101, not two DER integers",
        "3006020101030101, not two DER integers",
        "3006020401010101, not two DER integers",
        "3007020002030101 01, a DER integer of the wrong length",
        "3006020101020201, a DER integer of the wrong length",
        "300702020001020101, a DER integer not in its shortest form",
        "300702010102020001, a DER integer not in its shortest form",
        "30080203000080020101, a DER integer not in its shortest form",
        "3006020180020101, a negative integer",
        "30060201010201ff, a negative integer",
        "300702010102020080, ''"
    })
    void T29_only_strict_der_is_accepted(String hex, String reason) {
        String digits = hex.replace(" ", "");
        if (reason.isEmpty()) {
            assertThat(read(digits)).isNotNull();
        } else {
            refuse(digits, reason);
        }
    }

    @Test
    void T29_an_integer_of_more_than_33_bytes_is_refused() {
        refuse("30270222" + "01" + "00".repeat(33) + "020101", "a DER integer of the wrong length");
    }

    /** Integers of 66 bytes, and a length of two bytes where one is too short. */
    @Test
    void T29_a_signature_on_p_521_has_one_encoding() throws MalformedException {
        BigInteger most = EcCurve.P521.n.subtract(BigInteger.ONE);
        Bytes longest = integer(most);
        assertThat(longest.size()).isEqualTo(68);
        Bytes shorter = integer(BigInteger.ONE.shiftLeft(8 * 57 - 2));
        assertThat(longest.size() + shorter.size()).isEqualTo(127);
        assertThat(EcdsaSignature.parse(EcCurve.P521, der("3081", longest, longest)))
                .isEqualTo(new EcdsaSignature(EcCurve.P521, most, most));
        assertThat(EcdsaSignature.parse(EcCurve.P521, der("30", longest, shorter))
                        .r())
                .isEqualTo(most);
        Bytes padded = Bytes.ofHex("024300").concat(longest.slice(2, 68));
        for (Bytes other : List.of(
                der("3081", longest, shorter),
                der("308200", longest, longest),
                der("30", longest, longest),
                der("3080", longest, longest),
                der("3081", padded, longest),
                der("3081", longest, longest).concat(Bytes.ofHex("00")),
                der("3081", longest, longest).slice(0, 138))) {
            assertThatThrownBy(() -> EcdsaSignature.parse(EcCurve.P521, other)).isInstanceOf(MalformedException.class);
        }
    }

    private static Bytes der(String start, Bytes r, Bytes s) {
        Bytes length = Bytes.copyOf(new byte[] {(byte) (r.size() + s.size())});
        return Bytes.ofHex(start).concat(length).concat(r).concat(s);
    }

    @Test
    void the_constructor_refuses_numbers_out_of_range() {
        assertThatThrownBy(() -> new EcdsaSignature(EcCurve.P256, BigInteger.ZERO, BigInteger.ONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EcdsaSignature(EcCurve.P256, BigInteger.ONE, EcCurve.P256.n))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void der_survives_a_round_trip(
            @ForAll @BigRange(min = "1") BigInteger anyR, @ForAll @BigRange(min = "1") BigInteger anyS)
            throws MalformedException {
        BigInteger r = anyR.mod(EcCurve.P256.n.subtract(BigInteger.ONE)).add(BigInteger.ONE);
        BigInteger s = anyS.mod(EcCurve.P256.n.subtract(BigInteger.ONE)).add(BigInteger.ONE);
        Bytes integers = integer(r).concat(integer(s));
        Bytes der = Bytes.copyOf(new byte[] {0x30, (byte) integers.size()}).concat(integers);
        assertThat(EcdsaSignature.parse(EcCurve.P256, der)).isEqualTo(new EcdsaSignature(EcCurve.P256, r, s));
    }

    @Property
    void arbitrary_bytes_are_parsed_or_malformed(@ForAll @Size(max = 80) byte[] noise) {
        try {
            EcdsaSignature.parse(EcCurve.P256, Bytes.copyOf(noise));
        } catch (MalformedException refused) {
            assertThat(refused.part()).isEqualTo("signature");
        }
    }

    private static Bytes integer(BigInteger number) {
        Bytes content = Bytes.copyOf(number.toByteArray());
        return Bytes.copyOf(new byte[] {2, (byte) content.size()}).concat(content);
    }

    private static EcdsaSignature read(String hex) {
        try {
            return EcdsaSignature.parse(EcCurve.P256, Bytes.ofHex(hex));
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }

    private static void refuse(String hex, String reason) {
        assertThatThrownBy(() -> EcdsaSignature.parse(EcCurve.P256, Bytes.ofHex(hex)))
                .isInstanceOf(MalformedException.class)
                .hasMessage("signature: " + reason);
    }
}
