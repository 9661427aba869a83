// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.oracle;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.anchor.TrustAnchorRepository;
import com.webauthn4j.credential.CredentialRecord;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
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
import com.webauthn4j.verifier.attestation.trustworthiness.certpath.DefaultCertPathTrustworthinessVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.self.DefaultSelfAttestationTrustworthinessVerifier;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** webauthn4j at its strictest; it leaves looking up the credential, and its owner, to the caller. */
public final class Webauthn4jOracle implements Oracle {
    private final String rpId;
    private final Set<Origin> origins;
    private final WebAuthnManager manager;
    private final Map<String, CredentialRecord> records = new HashMap<>();

    public Webauthn4jOracle(String rpId, String origin, Set<X509Certificate> roots) {
        this.rpId = rpId;
        this.origins = Set.of(new Origin(origin));
        this.manager = new WebAuthnManager(
                List.of(
                        new NoneAttestationStatementVerifier(),
                        new PackedAttestationStatementVerifier(),
                        new FIDOU2FAttestationStatementVerifier(),
                        new AppleAnonymousAttestationStatementVerifier(),
                        new AndroidKeyAttestationStatementVerifier(),
                        new TPMAttestationStatementVerifier()),
                new DefaultCertPathTrustworthinessVerifier(new Anchors(roots)),
                new DefaultSelfAttestationTrustworthinessVerifier(true));
    }

    @Override
    public Verdict register(String creationOptions, String response) {
        return Verdict.of(() -> {
            JsonObject options = JsonObject.parse(creationOptions);
            List<PublicKeyCredentialParameters> algorithms = options.objects("pubKeyCredParams").stream()
                    .map(it -> new PublicKeyCredentialParameters(
                            PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(it.integer("alg"))))
                    .toList();
            boolean verify = options.has("authenticatorSelection")
                    && options.object("authenticatorSelection")
                            .string("userVerification", "preferred")
                            .equals("required");
            RegistrationData data = manager.verifyRegistrationResponseJSON(
                    response, new RegistrationParameters(server(options), algorithms, verify, true));
            var attested = data.getAttestationObject().getAuthenticatorData().getAttestedCredentialData();
            records.put(
                    Octets.base64Url(attested.getCredentialId()),
                    new CredentialRecordImpl(
                            data.getAttestationObject(),
                            data.getCollectedClientData(),
                            data.getClientExtensions(),
                            data.getTransports()));
        });
    }

    @Override
    public Verdict authenticate(String requestOptions, String response) {
        return Verdict.of(() -> {
            JsonObject options = JsonObject.parse(requestOptions);
            AuthenticationData data = manager.parseAuthenticationResponseJSON(response);
            CredentialRecord record = records.get(Octets.base64Url(data.getCredentialId()));
            if (record == null) {
                throw new IllegalArgumentException("no such credential");
            }
            List<byte[]> allowed = options.objects("allowCredentials").stream()
                    .map(it -> it.octets("id"))
                    .toList();
            boolean verify = options.string("userVerification", "preferred").equals("required");
            manager.verify(
                    data,
                    new AuthenticationParameters(
                            server(options), record, allowed.isEmpty() ? null : allowed, verify, true));
            record.setCounter(data.getAuthenticatorData().getSignCount());
        });
    }

    private ServerProperty server(JsonObject options) {
        return ServerProperty.builder()
                .origins(origins)
                .rpId(rpId)
                .challenge(new DefaultChallenge(options.octets("challenge")))
                .build();
    }

    private record Anchors(Set<X509Certificate> roots) implements TrustAnchorRepository {
        @Override
        public Set<TrustAnchor> find(AAGUID aaguid) {
            return anchors();
        }

        @Override
        public Set<TrustAnchor> find(byte[] attestationCertificateKeyIdentifier) {
            return anchors();
        }

        private Set<TrustAnchor> anchors() {
            return Set.copyOf(
                    roots.stream().map(root -> new TrustAnchor(root, null)).toList());
        }
    }
}
