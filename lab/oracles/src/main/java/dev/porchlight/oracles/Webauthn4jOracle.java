// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.anchor.TrustAnchorRepository;
import com.webauthn4j.converter.AttestedCredentialDataConverter;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecord;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.attestation.AttestationObject;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.data.extension.authenticator.AuthenticationExtensionsAuthenticatorOutputs;
import com.webauthn4j.data.extension.client.AuthenticationExtensionsClientOutputs;
import com.webauthn4j.data.extension.client.AuthenticationExtensionsLargeBlobOutputs;
import com.webauthn4j.data.extension.client.CredentialPropertiesOutput;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.verifier.attestation.statement.AttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.androidkey.AndroidKeyAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.apple.AppleAnonymousAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.none.NoneAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.packed.PackedAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.tpm.TPMAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.u2f.FIDOU2FAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.certpath.DefaultCertPathTrustworthinessVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.certpath.NullCertPathTrustworthinessVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.self.DefaultSelfAttestationTrustworthinessVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.self.NullSelfAttestationTrustworthinessVerifier;
import java.nio.ByteBuffer;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An oracle on webauthn4j. The library leaves looking up the credential and checking its owner to the caller; only the lookup
 * is done here. Not thread-safe.
 */
public final class Webauthn4jOracle implements Oracle {
    private final String rpId;
    private final Origin origin;
    private final WebAuthnManager manager;
    private final Map<ByteBuffer, CredentialRecord> records = new HashMap<>();
    private final Map<ByteBuffer, JsonNode> users = new HashMap<>();
    private final Map<String, Object> outputs = new HashMap<>();

    public Webauthn4jOracle(String rpId, String origin, AttestationLevel attestation, Set<X509Certificate> roots) {
        this.rpId = rpId;
        this.origin = new Origin(origin);
        this.manager = switch (attestation) {
            case VERIFIED ->
                new WebAuthnManager(
                        statements(),
                        new NullCertPathTrustworthinessVerifier(),
                        new NullSelfAttestationTrustworthinessVerifier());
            case TRUSTED ->
                new WebAuthnManager(
                        statements(),
                        new DefaultCertPathTrustworthinessVerifier(new Anchors(roots)),
                        new DefaultSelfAttestationTrustworthinessVerifier(false));
        };
    }

    private static List<AttestationStatementVerifier> statements() {
        return List.of(
                new NoneAttestationStatementVerifier(),
                new PackedAttestationStatementVerifier(),
                new FIDOU2FAttestationStatementVerifier(),
                new AppleAnonymousAttestationStatementVerifier(),
                new AndroidKeyAttestationStatementVerifier(),
                new TPMAttestationStatementVerifier());
    }

    @Override
    public Verdict register(String creationOptions, String response) {
        return Verdict.of(() -> {
            Options options = Options.parse(creationOptions);
            List<PublicKeyCredentialParameters> algorithms = options.algorithms().stream()
                    .map(it -> new PublicKeyCredentialParameters(
                            PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(it)))
                    .toList();
            RegistrationData data = manager.verifyRegistrationResponseJSON(
                    response,
                    new RegistrationParameters(server(options), algorithms, options.requiresVerification(), true));
            AttestationObject object = data.getAttestationObject();
            ByteBuffer id = ByteBuffer.wrap(
                    object.getAuthenticatorData().getAttestedCredentialData().getCredentialId());
            users.put(id, options.json().get("user"));
            read(data.getClientExtensions(), object.getAuthenticatorData().getExtensions());
            records.put(
                    id,
                    new CredentialRecordImpl(
                            object, data.getCollectedClientData(), data.getClientExtensions(), data.getTransports()));
        });
    }

    @Override
    public Verdict authenticate(String requestOptions, String response) {
        return Verdict.of(() -> {
            Options options = Options.parse(requestOptions);
            AuthenticationData data = manager.parseAuthenticationResponseJSON(response);
            CredentialRecord record = records.get(ByteBuffer.wrap(data.getCredentialId()));
            if (record == null) {
                throw new IllegalArgumentException("no such credential");
            }
            List<byte[]> allowed = options.allowed().stream()
                    .map(Base64.getUrlDecoder()::decode)
                    .toList();
            manager.verify(
                    data,
                    new AuthenticationParameters(
                            server(options),
                            record,
                            allowed.isEmpty() ? null : allowed,
                            options.requiresVerification(),
                            true));
            record.setCounter(data.getAuthenticatorData().getSignCount());
            read(data.getClientExtensions(), data.getAuthenticatorData().getExtensions());
        });
    }

    @Override
    public Map<String, Object> outputs() {
        return Map.copyOf(outputs);
    }

    private void read(
            @Nullable AuthenticationExtensionsClientOutputs<?> unsigned,
            @Nullable AuthenticationExtensionsAuthenticatorOutputs<?> signed) {
        outputs.clear();
        if (unsigned != null) {
            output("credProps.rk", unsigned.getCredProps(), CredentialPropertiesOutput::getRk);
            output(
                    "largeBlob.supported",
                    unsigned.getLargeBlob(),
                    AuthenticationExtensionsLargeBlobOutputs::getSupported);
            output("largeBlob.written", unsigned.getLargeBlob(), AuthenticationExtensionsLargeBlobOutputs::getWritten);
            output("largeBlob.blob", unsigned.getLargeBlob(), it -> base64Url(it.getBlob()));
            output("appid", unsigned.getAppid(), it -> it);
            output("appidExclude", unsigned.getAppidExclude(), it -> it);
        }
        if (signed != null) {
            output("credProtect", signed.getCredProtect(), it -> (int) it.toByte());
            output("hmac-secret", signed.getHMACSecret(), it -> it);
            output("uvm", signed.getUvm(), List::size);
        }
    }

    private <T> void output(String name, @Nullable T extension, Function<T, ?> value) {
        Object found = extension == null ? null : value.apply(extension);
        if (found != null) {
            outputs.put(name, found);
        }
    }

    private static String base64Url(byte @Nullable [] octets) {
        return octets == null ? null : Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    }

    /** The stored form of each passkey, with the columns and converter from the library's documentation. */
    public List<String> storedCredentials() {
        var converter = new AttestedCredentialDataConverter(new ObjectConverter());
        return records.entrySet().stream()
                .map(entry -> {
                    CredentialRecord record = entry.getValue();
                    JsonNode user = users.get(entry.getKey());
                    ObjectNode line = JsonNodeFactory.instance
                            .objectNode()
                            .put("username", user.get("name").asText())
                            .put("userHandle", user.get("id").asText())
                            .put(
                                    "attestedCredentialData",
                                    base64Url(converter.convert(record.getAttestedCredentialData())))
                            .put("counter", record.getCounter())
                            .put("uvInitialized", record.isUvInitialized())
                            .put("backupEligible", record.isBackupEligible())
                            .put("backupState", record.isBackedUp());
                    if (record.getTransports() != null) {
                        record.getTransports()
                                .forEach(it -> line.withArray("transports").add(it.getValue()));
                    }
                    return line.toString();
                })
                .toList();
    }

    /** The users of a Keycloak export with their passkeys as passwordless credentials, one JSON object each. */
    public List<String> keycloakUsers() {
        return records.entrySet().stream()
                .map(entry -> KeycloakExport.user(users.get(entry.getKey()), entry.getValue()))
                .toList();
    }

    private ServerProperty server(Options options) {
        return ServerProperty.builder()
                .origin(origin)
                .rpId(rpId)
                .challenge(new DefaultChallenge(options.challenge()))
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
