// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.CertificateAuthority;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.attestation.Subject;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.response.AuthenticatorData;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A registration attested by the testkit, whose statement can be changed. */
final class SoftRegistration {
    static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    static final TrustAnchors ANCHORS =
            new TrustAnchors(Set.of(CertificateAuthority.kit().root()));
    static final byte[] AAGUID = Octets.filled(16, 0xa5);
    static final byte[] CHALLENGE = Octets.filled(32, 7);
    static final byte[] CLIENT_DATA = Octets.utf8("{\"type\":\"webauthn.create\",\"challenge\":\""
            + Octets.base64Url(CHALLENGE) + "\",\"origin\":\"https://example.org\",\"crossOrigin\":false}");

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Map<KeyAlgorithm, CredentialKey> OTHER_KEYS = new ConcurrentHashMap<>();

    final CredentialKey key;
    final Statement statement;
    private byte[] authData;

    private SoftRegistration(Attester attester, KeyAlgorithm algorithm) {
        key = algorithm.generate(RANDOM);
        byte[] id = Octets.filled(32, 3);
        byte[] aaguid = attester.aaguid(AAGUID);
        var data = new AuthenticatorData("example.org", AuthenticatorData.USER_PRESENT, 0);
        data.set(AuthenticatorData.ATTESTED);
        data.aaguid = aaguid;
        data.credentialId = id;
        data.key = key.cose();
        authData = data.octets();
        statement = attester.attest(new Subject(key, id, aaguid, authData, Octets.sha256(CLIENT_DATA), RANDOM));
    }

    static SoftRegistration by(Attester attester) {
        return by(attester, KeyAlgorithm.ES256);
    }

    static SoftRegistration by(Attester attester, KeyAlgorithm algorithm) {
        return new SoftRegistration(attester, algorithm);
    }

    /** A key other than the credential's, cached by algorithm because RSA keys are slow to generate. */
    static CredentialKey otherKey(KeyAlgorithm algorithm) {
        return OTHER_KEYS.computeIfAbsent(algorithm, missing -> missing.generate(RANDOM));
    }

    /** Authenticator data and client data hash, which most formats sign. */
    byte[] attested() {
        return Octets.join(authData, Octets.sha256(CLIENT_DATA));
    }

    SoftRegistration format(String format) {
        statement.format(format);
        return this;
    }

    SoftRegistration put(String name, Object value) {
        statement.put(name, value);
        return this;
    }

    SoftRegistration remove(String name) {
        statement.remove(name);
        return this;
    }

    SoftRegistration change(String name, UnaryOperator<byte[]> change) {
        return put(name, change.apply(bytes(name)));
    }

    byte[] bytes(String name) {
        return (byte[]) statement.members().get(name);
    }

    List<byte[]> x5c() {
        return ((List<?>) statement.members().get("x5c"))
                .stream().map(byte[].class::cast).toList();
    }

    /** Replaces a certificate of the chain. */
    SoftRegistration certificate(int index, UnaryOperator<byte[]> change) {
        var changed = new ArrayList<>(x5c());
        changed.set(index, change.apply(changed.get(index)));
        return put("x5c", changed);
    }

    SoftRegistration append(byte[] certificate) {
        var longer = new ArrayList<>(x5c());
        longer.add(certificate);
        return put("x5c", longer);
    }

    /** Changes the authenticator data after it was attested. */
    SoftRegistration authData(UnaryOperator<byte[]> change) {
        authData = change.apply(authData);
        return this;
    }

    byte[] attestationObject() {
        return attestationObject(UnaryOperator.identity());
    }

    /** Returns the attestation object with a changed encoding of the statement. */
    byte[] attestationObject(UnaryOperator<byte[]> change) {
        var encoded = new Cbor.Raw(change.apply(Cbor.encode(statement.value())));
        return Cbor.encode(Cbor.map("fmt", statement.format(), "authData", authData, "attStmt", encoded));
    }

    AttestationResult verify() {
        return verify(AttestationPolicy.ACCEPT_UNTRUSTED, ANCHORS, AT);
    }

    AttestationResult verify(AttestationPolicy policy, TrustAnchors anchors, Instant at) {
        return verify(new AttestationVerifier(policy, anchors, null), attestationObject(), at);
    }

    static AttestationResult verify(AttestationVerifier verifier, byte[] attestationObject, Instant at) {
        try {
            var object = AttestationObject.parse(Bytes.copyOf(attestationObject));
            var credential = dev.porchlight.passkey.data.AuthenticatorData.parse(object.authData())
                    .attestedCredential();
            var key = CredentialPublicKey.fromCose(CoseKey.read(credential.publicKey()));
            return verifier.verify(
                    object, credential, key, Bytes.copyOf(CLIENT_DATA).sha256(), at);
        } catch (MalformedException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
