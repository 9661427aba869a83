// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorDataTest {
    private static final Bytes RP_ID_HASH = Bytes.ofUtf8("example.org").sha256();
    private static final Bytes AAGUID = Bytes.ofHex("8446ccb9ab1db374750b2367ff6f3a1f");
    private static final Bytes KEY = CborEncoder.encode(CborEncoder.map(1, 2, 3, -7));
    private static final Bytes EXTENSIONS = CborEncoder.encode(CborEncoder.map("credProtect", 2));

    @Test
    void an_assertion_has_37_bytes() throws MalformedException {
        AuthenticatorData data = AuthenticatorData.parse(header(0x1d, "00000102"));
        assertThat(data.rpIdHash()).isEqualTo(RP_ID_HASH);
        assertThat(data.signCount()).isEqualTo(0x102);
        assertThat(data.attestedCredential()).isNull();
        assertThat(data.extensions()).isNull();
        assertThat(data.raw()).isEqualTo(header(0x1d, "00000102"));
    }

    @Test
    void each_flag_is_parsed() throws MalformedException {
        AuthenticatorData none = AuthenticatorData.parse(header(0, "00000000"));
        assertThat(none.userPresent() || none.userVerified() || none.backupEligible() || none.backedUp())
                .isFalse();
        assertThat(AuthenticatorData.parse(header(0x01, "00000000")).userPresent())
                .isTrue();
        assertThat(AuthenticatorData.parse(header(0x04, "00000000")).userVerified())
                .isTrue();
        assertThat(AuthenticatorData.parse(header(0x08, "00000000")).backupEligible())
                .isTrue();
        assertThat(AuthenticatorData.parse(header(0x10, "00000000")).backedUp()).isTrue();
    }

    @Test
    void T35_the_sign_count_is_unsigned() throws MalformedException {
        assertThat(AuthenticatorData.parse(header(1, "ffffffff")).signCount()).isEqualTo(4_294_967_295L);
        assertThat(AuthenticatorData.parse(header(1, "80000000")).signCount()).isEqualTo(2_147_483_648L);
        assertThat(AuthenticatorData.parse(header(1, "01020304")).signCount()).isEqualTo(0x01020304);
    }

    @Test
    void a_credential_and_extensions_are_parsed() throws MalformedException {
        Bytes id = Bytes.ofHex("c0ffee");
        AuthenticatorData data = AuthenticatorData.parse(
                header(0xc1, "00000000").concat(attested(id)).concat(EXTENSIONS));
        AttestedCredential credential = data.attestedCredential();
        assertThat(credential).isNotNull();
        assertThat(credential.credentialId()).isEqualTo(id);
        assertThat(credential.aaguid()).isEqualTo(AAGUID);
        assertThat(credential.aaguidText()).isEqualTo("8446ccb9-ab1d-b374-750b-2367ff6f3a1f");
        assertThat(credential.publicKey()).isEqualTo(CborEncoder.map(1, 2, 3, -7));
        assertThat(credential.publicKeyBytes()).isEqualTo(KEY);
        assertThat(data.extensions()).isEqualTo(CborEncoder.map("credProtect", 2));
    }

    @Test
    void T34_36_and_38_bytes_are_refused() {
        refuse(header(1, "00000000").slice(0, 36), "authenticatorData: shorter than 37 bytes");
        refuse(Bytes.EMPTY, "authenticatorData: shorter than 37 bytes");
        refuse(header(1, "00000000").concat(Bytes.ofHex("00")), "authenticatorData: bytes that no flag accounts for");
    }

    @Test
    void T34_attested_data_must_match_its_flag() throws MalformedException {
        Bytes attested = attested(Bytes.ofHex("01"));
        assertThat(AuthenticatorData.parse(header(0x41, "00000000").concat(attested))
                        .attestedCredential())
                .isNotNull();
        refuse(header(0x01, "00000000").concat(attested), "authenticatorData: bytes that no flag accounts for");
        refuse(header(0x41, "00000000"), "authenticatorData.attestedCredentialData: ends before the credential id");
    }

    @Test
    void T34_extensions_must_match_their_flag() {
        refuse(header(0x81, "00000000"), "authenticatorData.extensions: ends in the middle of an item");
        refuse(header(0x01, "00000000").concat(EXTENSIONS), "authenticatorData: bytes that no flag accounts for");
        refuse(
                header(0x81, "00000000").concat(EXTENSIONS).concat(Bytes.ofHex("00")),
                "authenticatorData: bytes that no flag accounts for");
        refuse(header(0x81, "00000000").concat(Bytes.ofHex("00")), "authenticatorData.extensions: not a CBOR map");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1024, 65535})
    void T34_an_empty_or_long_credential_id_is_refused(int length) {
        refuse(
                header(0x41, "00000000").concat(attested(Bytes.copyOf(new byte[length]))),
                "authenticatorData.attestedCredentialData.credentialId: " + length + " bytes instead of 1 to 1023");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1023})
    void the_shortest_and_longest_credential_ids_are_accepted(int length) throws MalformedException {
        Bytes id = Bytes.copyOf(new byte[length]);
        AttestedCredential credential = AuthenticatorData.parse(
                        header(0x41, "00000000").concat(attested(id)))
                .attestedCredential();
        assertThat(credential).isNotNull();
        assertThat(credential.credentialId()).isEqualTo(id);
    }

    @Test
    void T34_a_truncated_credential_id_is_refused() {
        Bytes whole = header(0x41, "00000000").concat(attested(Bytes.ofHex("0102")));
        int keyFrom = whole.size() - KEY.size();
        refuse(
                whole.slice(0, keyFrom - 1),
                "authenticatorData.attestedCredentialData.credentialId: shorter than announced");
        refuse(
                whole.slice(0, keyFrom),
                "authenticatorData.attestedCredentialData.credentialPublicKey: ends in the middle of an item");
    }

    @Test
    void T34_reserved_flags_are_ignored() throws MalformedException {
        AuthenticatorData data = AuthenticatorData.parse(header(0x23, "00000000"));
        assertThat(data.userPresent()).isTrue();
        assertThat(data.flags()).isEqualTo(0x23);
    }

    @Property
    void arbitrary_bytes_are_parsed_or_malformed(@ForAll @Size(max = 120) byte[] noise) {
        readOrRefuse(Bytes.copyOf(noise));
    }

    @Property
    void a_changed_byte_is_parsed_or_malformed(@ForAll @IntRange(max = 10_000) int place, @ForAll byte change) {
        byte[] whole = header(0xc1, "00000000")
                .concat(attested(Bytes.ofHex("c0ffee")))
                .concat(EXTENSIONS)
                .toByteArray();
        whole[place % whole.length] = change;
        readOrRefuse(Bytes.copyOf(whole));
    }

    private static void readOrRefuse(Bytes bytes) {
        try {
            assertThat(AuthenticatorData.parse(bytes).raw()).isEqualTo(bytes);
        } catch (MalformedException refused) {
            assertThat(refused.part()).startsWith("authenticatorData");
        }
    }

    private static void refuse(Bytes raw, String message) {
        assertThatThrownBy(() -> AuthenticatorData.parse(raw))
                .isInstanceOf(MalformedException.class)
                .hasMessage(message);
    }

    private static Bytes header(int flags, String count) {
        return RP_ID_HASH.concat(Bytes.copyOf(new byte[] {(byte) flags})).concat(Bytes.ofHex(count));
    }

    private static Bytes attested(Bytes id) {
        byte[] length = {(byte) (id.size() >>> 8), (byte) id.size()};
        return AAGUID.concat(Bytes.copyOf(length)).concat(id).concat(KEY);
    }
}
