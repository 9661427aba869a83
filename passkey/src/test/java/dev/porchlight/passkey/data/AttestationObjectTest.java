// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static dev.porchlight.passkey.data.CborEncoder.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AttestationObjectTest {
    private static final Bytes DATA = Bytes.ofHex("0102");

    @Test
    void the_three_members_may_be_in_any_order() throws MalformedException {
        var expected = new AttestationObject("packed", DATA, map("alg", -7));
        assertThat(parse(map("fmt", "packed", "attStmt", map("alg", -7), "authData", DATA)))
                .isEqualTo(expected);
        assertThat(parse(map("authData", DATA, "fmt", "packed", "attStmt", map("alg", -7))))
                .isEqualTo(expected);
    }

    @Test
    void missing_members_and_other_types_are_refused() {
        refuse(map("attStmt", map(), "authData", DATA), "attestationObject.fmt: not a string");
        refuse(map("fmt", 1, "attStmt", map(), "authData", DATA), "attestationObject.fmt: not a string");
        refuse(map("fmt", "none", "attStmt", map()), "attestationObject.authData: not a byte string");
        refuse(map("fmt", "none", "attStmt", map(), "authData", "x"), "attestationObject.authData: not a byte string");
        refuse(map("fmt", "none", "authData", DATA), "attestationObject.attStmt: not a map");
        refuse(
                map("fmt", "none", "attStmt", CborEncoder.array(), "authData", DATA),
                "attestationObject.attStmt: not a map");
    }

    @Test
    void a_compound_statement_has_two_to_four_statements_of_other_formats() throws MalformedException {
        CborMap none = map("fmt", "none", "attStmt", map());
        CborMap packed = map("fmt", "packed", "attStmt", map("alg", -7));
        assertThat(parse(compound(CborEncoder.array(none, packed))).parts())
                .containsExactly(
                        new AttestationObject("none", DATA, map()),
                        new AttestationObject("packed", DATA, map("alg", -7)));
        String part = "attestationObject.attStmt: ";
        refuse(compound(map()), part + "not an array");
        refuse(compound(CborEncoder.array(none)), part + "fewer than two statements");
        assertThat(parse(compound(CborEncoder.array(none, none, none, none))).parts())
                .hasSize(4);
        refuse(compound(CborEncoder.array(none, none, none, none, none)), part + "more than 4 statements");
        refuse(compound(CborEncoder.array(none, 1)), part + "not an array of statements");
        CborMap nested = map("fmt", "compound", "attStmt", map());
        refuse(compound(CborEncoder.array(none, nested)), part + "a statement that is not fmt and attStmt");
        CborMap more = map("fmt", "none", "attStmt", map(), "x", 1);
        refuse(compound(CborEncoder.array(none, more)), part + "a statement that is not fmt and attStmt");
    }

    private static CborMap compound(Object statements) {
        return map("fmt", "compound", "attStmt", statements, "authData", DATA);
    }

    @Test
    void a_fourth_member_is_refused() {
        refuse(
                map("fmt", "none", "attStmt", map(), "authData", DATA, "ep", true),
                "attestationObject: members other than fmt, authData and attStmt");
    }

    @Test
    void T33_trailing_bytes_and_other_items_are_refused() {
        Bytes whole = CborEncoder.encode(map("fmt", "none", "attStmt", map(), "authData", DATA));
        assertThatThrownBy(() -> AttestationObject.parse(whole.concat(Bytes.ofHex("00"))))
                .hasMessage("attestationObject: bytes after the end");
        assertThatThrownBy(() -> AttestationObject.parse(Bytes.ofHex("80")))
                .hasMessage("attestationObject: not a CBOR map");
        assertThatThrownBy(() -> AttestationObject.parse(Bytes.EMPTY))
                .hasMessage("attestationObject: ends in the middle of an item");
    }

    @Property
    void arbitrary_bytes_are_malformed(@ForAll byte[] noise) {
        assertThatThrownBy(() -> AttestationObject.parse(Bytes.copyOf(noise))).isInstanceOf(MalformedException.class);
    }

    private static AttestationObject parse(CborMap map) throws MalformedException {
        return AttestationObject.parse(CborEncoder.encode(map));
    }

    private static void refuse(CborMap map, String message) {
        assertThatThrownBy(() -> parse(map))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }
}
