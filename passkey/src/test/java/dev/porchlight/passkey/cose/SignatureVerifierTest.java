// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.Bytes;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureVerifierTest {
    private static final Bytes DATA = Bytes.ofUtf8("authenticator data");
    private static final Bytes HASH = Bytes.ofUtf8("{}").sha256();

    private final SignatureVerifier check = new SignatureVerifier(Security.getProvider("SunEC"));
    private final KeyPair pair = generate();
    private final EcKey key = key(pair);

    @Test
    void the_parts_are_verified_in_order() throws Exception {
        Bytes signature = sign(DATA.concat(HASH));
        assertThat(check.verify(key, signature, DATA, HASH)).isTrue();
        assertThat(check.verify(key, signature, DATA.concat(HASH))).isTrue();
        assertThat(check.verify(key, signature, HASH, DATA)).isFalse();
        assertThat(check.verify(key, signature, DATA)).isFalse();
        assertThat(check.verify(key, signature)).isFalse();
    }

    @Test
    void a_signature_by_another_key_is_refused() throws Exception {
        assertThat(check.verify(key(generate()), sign(DATA), DATA)).isFalse();
    }

    @Test
    void the_given_provider_is_used() throws Exception {
        var chosen = new SignatureVerifier(Security.getProvider("SunEC"));
        assertThat(chosen.verify(key, sign(DATA), DATA)).isTrue();
        assertThat(chosen.verify(key, sign(HASH), DATA)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "00", "3000", "3006020100020100", "3006020101020101", "deadbeef", "30800201010201010000"})
    void T29_a_malformed_signature_is_invalid(String hex) {
        assertThat(check.verify(key, Bytes.ofHex(hex), DATA)).isFalse();
    }

    @Test
    void T29_a_signature_with_trailing_bytes_is_refused() throws Exception {
        assertThat(check.verify(key, sign(DATA).concat(Bytes.ofHex("00")), DATA))
                .isFalse();
    }

    @Test
    void T30_the_mirrored_signature_also_verifies() throws Exception {
        EcdsaSignature signature = EcdsaSignature.parse(EcCurve.P256, sign(DATA));
        Bytes mirrored = der(signature.r(), EcCurve.P256.n.subtract(signature.s()));
        assertThat(mirrored).isNotEqualTo(der(signature.r(), signature.s()));
        assertThat(check.verify(key, mirrored, DATA)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3006020100020100", "3006020100020101", "3006020101020100", "", "3000"})
    void T28_zeros_and_malformed_signatures_never_reach_the_provider(String hex) throws Exception {
        var provider = new ScriptedProvider(truth -> truth);
        var scripted = new SignatureVerifier(provider);
        int before = provider.calls;
        provider.script = truth -> true;
        assertThat(scripted.verify(key, Bytes.ofHex(hex), DATA)).isFalse();
        assertThat(provider.calls).isEqualTo(before);
        assertThat(scripted.verify(key, sign(HASH), DATA)).isTrue();
    }

    @Test
    void T29_a_provider_that_stumbles_has_not_verified() throws Exception {
        var provider = new ScriptedProvider(truth -> truth);
        var scripted = new SignatureVerifier(provider);
        assertThat(scripted.verify(key, sign(DATA), DATA)).isTrue();
        provider.script = truth -> {
            throw new SignatureException("stumbled");
        };
        assertThat(scripted.verify(key, sign(DATA), DATA)).isFalse();
        provider.script = truth -> {
            throw new IllegalStateException("stumbled badly");
        };
        assertThat(scripted.verify(key, sign(DATA), DATA)).isFalse();
    }

    @Test
    void numbers_that_no_honest_signer_meets_are_not_left_to_a_provider() {
        var provider = new ScriptedProvider(truth -> truth);
        var scripted = new SignatureVerifier(provider);
        int before = provider.calls;
        provider.script = truth -> true;
        assertThat(scripted.verify(key, Bytes.ofHex("3006020101020101"), DATA)).isFalse();
        assertThat(provider.calls).isEqualTo(before);
    }

    @Test
    void a_provider_with_wrong_results_is_refused() {
        assertThatThrownBy(() -> new SignatureVerifier(Security.getProvider("SUN")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("known answer test for ES256 failed: SUN");
        assertThatThrownBy(() -> new SignatureVerifier(new ScriptedProvider(truth -> true)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SignatureVerifier(new ScriptedProvider(truth -> false)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Bytes sign(Bytes message) throws Exception {
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(pair.getPrivate());
        signer.update(message.toByteArray());
        return Bytes.copyOf(signer.sign());
    }

    private static Bytes der(BigInteger r, BigInteger s) {
        Bytes integers = integer(r).concat(integer(s));
        return Bytes.copyOf(new byte[] {0x30, (byte) integers.size()}).concat(integers);
    }

    private static Bytes integer(BigInteger number) {
        Bytes content = Bytes.copyOf(number.toByteArray());
        return Bytes.copyOf(new byte[] {2, (byte) content.size()}).concat(content);
    }

    private static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static EcKey key(KeyPair pair) {
        var point = ((ECPublicKey) pair.getPublic()).getW();
        return new EcKey(EcCurve.P256, coordinate(point.getAffineX()), coordinate(point.getAffineY()));
    }

    private static Bytes coordinate(BigInteger number) {
        String hex = number.toString(16);
        return Bytes.ofHex("0".repeat(64 - hex.length()) + hex);
    }
}
