// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.SoftRegistration.AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.cose.EcKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The registrations of the WebAuthn specification, with every format of section 8. */
class AttestationVectorsTest {
    private static final Map<String, Attestation.Type> TYPES = Map.of(
            "none", Attestation.Type.NONE,
            "packed", Attestation.Type.BASIC,
            "fido-u2f", Attestation.Type.BASIC,
            "android-key", Attestation.Type.BASIC,
            "tpm", Attestation.Type.ATT_CA,
            "apple", Attestation.Type.ANON_CA);

    /** Two vectors are valid but cannot be trusted. */
    private static final Map<String, AttestationReason> DOUBTS = Map.of(
            // The description has two empty lists, a mistake of the generator (w3c/webauthn pull request 2379), so the
            // origin of the key is unknown.
            "android-key", AttestationReason.KEY_NOT_IN_HARDWARE,
            // The authenticator data has an AAGUID, which this format does not attest.
            "fido-u2f", AttestationReason.AAGUID_NOT_ATTESTED);

    static List<W3cVector> vectors() {
        return W3cVector.all();
    }

    static Stream<W3cVector> attested() {
        return vectors().stream().filter(vector -> !vector.object().statement().isEmpty());
    }

    static Stream<W3cVector> certified() {
        return vectors().stream().filter(vector -> vector.has("x5c"));
    }

    static Stream<W3cVector> otherAlgorithms() {
        return vectors().stream().filter(vector -> vector.key().isEmpty());
    }

    /**
     * Verifies a vector. Keys of unsupported algorithms are replaced, since packed certificates do not depend on them.
     */
    private static AttestationResult verify(W3cVector vector, TrustAnchors anchors, Bytes clientData) {
        return new AttestationVerifier(AttestationPolicy.ACCEPT_UNTRUSTED, anchors, null)
                .verify(vector.object(), vector.credential(), key(vector), clientData.sha256(), AT);
    }

    private static CredentialPublicKey key(W3cVector vector) {
        return vector.key()
                .orElseGet(() -> EcKey.of(
                                SoftRegistration.otherKey(KeyAlgorithm.ES256).publicKey())
                        .orElseThrow());
    }

    private static Attestation accepted(W3cVector vector, TrustAnchors anchors) {
        return ((Accepted) verify(vector, anchors, vector.response().clientDataJson())).attestation();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void every_statement_verifies_and_none_is_trusted_without_anchors(W3cVector vector) {
        Attestation attestation = accepted(vector, new TrustAnchors(Set.of()));
        boolean self = vector.has("sig") && !vector.has("x5c");
        String format = vector.object().format();

        assertThat(attestation.format().identifier()).isEqualTo(format);
        assertThat(attestation.type()).isEqualTo(self ? Attestation.Type.SELF : TYPES.get(format));
        assertThat(attestation.aaguid()).isEqualTo(vector.credential().aaguid());
        assertThat(attestation.trusted()).isFalse();
    }

    /**
     * The file has no root, but the attestation certificate itself may be an anchor.
     */
    @ParameterizedTest
    @MethodSource("certified")
    void certified_statements_are_trusted_if_the_certificate_is_an_anchor(W3cVector vector)
            throws MalformedException, CertificateException {
        var x5c = new Statement(vector.object().statement(), Bytes.EMPTY, vector.credential(), key(vector), Bytes.EMPTY)
                .x5c();
        var doubt = accepted(vector, new TrustAnchors(Set.copyOf(x5c))).doubt();
        assertThat(doubt.orElse(null)).isEqualTo(DOUBTS.get(vector.object().format()));
    }

    /** T27: the algorithm is checked before attestation. */
    @ParameterizedTest
    @MethodSource("otherAlgorithms")
    void a_key_of_another_algorithm_is_refused_before_attestation(W3cVector vector) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> CredentialPublicKey.fromCose(
                        CoseKey.read(vector.credential().publicKey())));
    }

    @ParameterizedTest
    @MethodSource("attested")
    void no_statement_verifies_for_another_ceremony(W3cVector vector) {
        assertThat(verify(vector, new TrustAnchors(Set.of()), Bytes.ofUtf8("another ceremony")))
                .isInstanceOf(AttestationResult.Refused.class);
    }

    @Test
    void the_vectors_cover_every_format_except_the_retired_one() {
        assertThat(vectors()).extracting(vector -> vector.object().format()).containsAll(TYPES.keySet());
    }
}
