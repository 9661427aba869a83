// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import com.webauthn4j.WebAuthnRegistrationManager;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.RegistrationRequest;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.verifier.attestation.statement.androidkey.AndroidKeyAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.apple.AppleAnonymousAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.none.NoneAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.packed.PackedAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.tpm.TPMAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.u2f.FIDOU2FAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.certpath.NullCertPathTrustworthinessVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.self.NullSelfAttestationTrustworthinessVerifier;
import dev.porchlight.testkit.attestation.Attester;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same statements verified by webauthn4j. Every difference must be listed with its reason, and listed ones must exist.
 */
@Tag("slow")
class OracleTest {
    /** Refused here and accepted by webauthn4j. */
    private static final Map<String, String> STRICTER = Map.ofEntries(
            Map.entry("ECDAA", "unknown members are ignored"),
            // An element of x5c is one certificate in DER.
            Map.entry("a byte after a certificate", "read by the JDK's factory alone"),
            Map.entry("a certificate in PEM", "read by the JDK's factory alone"),
            Map.entry("a certificate of nine kilobytes", "no limit"),
            Map.entry("nine certificates", "no limit"),
            // Sections 8.2.1 and 8.3.1.
            Map.entry("a country by name", "requires only one"),
            Map.entry("a country in lower case", "requires only one"),
            Map.entry("no common name", "requires only one, and accepts a blank"),
            Map.entry("no basic constraints", "absent counts as not a CA"),
            Map.entry("tpm, no basic constraints", "absent counts as not a CA"),
            Map.entry("a critical AAGUID", "does not check if the extension is critical"),
            Map.entry("an AAGUID with trailing bytes", "reads from the end"),
            Map.entry("tpm, a manufacturer by name", "left to an optional verifier"),
            Map.entry("tpm, no model", "left to an optional verifier"),
            Map.entry("tpm, no TPM version", "left to an optional verifier"),
            // Weak cryptography.
            Map.entry("an RSA key of 1024 bits", "no limit"),
            // Android's two lists, and DER around them.
            Map.entry("android, imported, in the software list", "one correct list is enough"),
            Map.entry("android, for decryption, in the software list", "one correct list is enough"),
            Map.entry("android, for signing and decryption", "signing among others is enough"),
            Map.entry("android, two origins", "the last one counts"),
            Map.entry("android, a third list", "ignored"),
            Map.entry("android, trailing bytes", "ignored"));

    /** Accepted here and refused by webauthn4j. */
    private static final Map<String, String> LENIENT = Map.of(
            "reg-w3c-012", "cannot read an empty qualified name, which is optional and unused",
            "reg-w3c-013", "requires an origin and a purpose, which this vector lacks; here it is valid but untrusted",
            "reg-w3c-015", "requires a zero AAGUID, which this vector lacks; here it is valid but untrusted");

    private static final WebAuthnRegistrationManager WEBAUTHN4J = new WebAuthnRegistrationManager(
            List.of(
                    new NoneAttestationStatementVerifier(),
                    new PackedAttestationStatementVerifier(),
                    new FIDOU2FAttestationStatementVerifier(),
                    new AppleAnonymousAttestationStatementVerifier(),
                    new AndroidKeyAttestationStatementVerifier(),
                    new TPMAttestationStatementVerifier()),
            new NullCertPathTrustworthinessVerifier(),
            new NullSelfAttestationTrustworthinessVerifier());

    private static boolean accepts(byte[] attestationObject, byte[] clientData, byte[] challenge) {
        var server = ServerProperty.builder()
                .origin(new Origin("https://example.org"))
                .rpId("example.org")
                .challenge(new DefaultChallenge(challenge))
                .anyTopOrigin()
                .build();
        var algorithms = Stream.of(
                        COSEAlgorithmIdentifier.ES256,
                        COSEAlgorithmIdentifier.ES384,
                        COSEAlgorithmIdentifier.ES512,
                        COSEAlgorithmIdentifier.EdDSA,
                        COSEAlgorithmIdentifier.RS256)
                .map(it -> new PublicKeyCredentialParameters(PublicKeyCredentialType.PUBLIC_KEY, it))
                .toList();
        try {
            WEBAUTHN4J.verify(
                    new RegistrationRequest(attestationObject, clientData),
                    new RegistrationParameters(server, algorithms, false, true));
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static boolean accepts(SoftRegistration registration) {
        return accepts(registration.attestationObject(), SoftRegistration.CLIENT_DATA, SoftRegistration.CHALLENGE);
    }

    static Stream<SoftRegistration> unchanged() {
        return Stream.concat(
                Stream.of(SoftRegistration.by(Attester.NONE), PackedFormatTest.self()),
                AttestationVerifierTest.unchanged().map(registration -> registration.get()));
    }

    @ParameterizedTest
    @MethodSource("unchanged")
    void both_accept_valid_statements(SoftRegistration registration) {
        assertThat(registration.verify()).isInstanceOf(AttestationResult.Accepted.class);
        assertThat(accepts(registration)).isTrue();
    }

    static Stream<Violation> violations() {
        return AttestationVerifierTest.violations();
    }

    @ParameterizedTest
    @MethodSource("violations")
    void both_refuse_violations_except_for_listed_differences(Violation violation) {
        assertThat(accepts(violation.registration().get())).isEqualTo(STRICTER.containsKey(violation.name()));
    }

    static List<W3cVector> vectors() {
        return W3cVector.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void both_accept_the_specification_vectors_except_for_listed_differences(W3cVector vector) {
        boolean accepted = accepts(
                vector.response().attestationObject().toByteArray(),
                vector.response().clientDataJson().toByteArray(),
                vector.challenge().toByteArray());
        assertThat(accepted).isEqualTo(vector.key().isPresent() && !LENIENT.containsKey(vector.id()));
    }
}
