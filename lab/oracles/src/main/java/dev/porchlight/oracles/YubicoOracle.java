// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.yubico.webauthn.AssertionRequest;
import com.yubico.webauthn.AssertionResult;
import com.yubico.webauthn.CredentialRepository;
import com.yubico.webauthn.FinishAssertionOptions;
import com.yubico.webauthn.FinishRegistrationOptions;
import com.yubico.webauthn.RegisteredCredential;
import com.yubico.webauthn.RegistrationResult;
import com.yubico.webauthn.RelyingParty;
import com.yubico.webauthn.attestation.AttestationTrustSource.TrustRootsResult;
import com.yubico.webauthn.data.ByteArray;
import com.yubico.webauthn.data.PublicKeyCredential;
import com.yubico.webauthn.data.PublicKeyCredentialCreationOptions;
import com.yubico.webauthn.data.PublicKeyCredentialDescriptor;
import com.yubico.webauthn.data.RelyingPartyIdentity;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * An oracle on Yubico's library with its defaults. It always verifies attestation statements in formats that it supports.
 * Not thread-safe.
 */
public final class YubicoOracle implements Oracle {
    private final RelyingParty relyingParty;
    private final Repository credentials = new Repository();
    private Supplier<Map<String, Object>> outputs = Map::of;

    public YubicoOracle(String rpId, String origin, AttestationLevel attestation, Set<X509Certificate> roots) {
        this.relyingParty = RelyingParty.builder()
                .identity(
                        RelyingPartyIdentity.builder().id(rpId).name("Example").build())
                .credentialRepository(credentials)
                .origins(Set.of(origin))
                .attestationTrustSource((chain, aaguid) -> TrustRootsResult.builder()
                        .trustRoots(roots)
                        .enableRevocationChecking(false)
                        .build())
                .allowUntrustedAttestation(attestation != AttestationLevel.TRUSTED)
                .validateSignatureCounter(true)
                .build();
    }

    @Override
    public Verdict register(String creationOptions, String response) {
        return Verdict.of(() -> {
            var options = PublicKeyCredentialCreationOptions.fromJson(
                    Options.parse(creationOptions).json().toString());
            RegistrationResult result = relyingParty.finishRegistration(FinishRegistrationOptions.builder()
                    .request(options)
                    .response(PublicKeyCredential.parseRegistrationResponseJson(response))
                    .build());
            credentials.owned.add(new Owned(
                    options.getUser().getName(),
                    RegisteredCredential.builder()
                            .credentialId(result.getKeyId().getId())
                            .userHandle(options.getUser().getId())
                            .publicKeyCose(result.getPublicKeyCose())
                            .signatureCount(result.getSignatureCount())
                            .build()));
            outputs = () -> read(result);
        });
    }

    @Override
    public Verdict authenticate(String requestOptions, String response) {
        return Verdict.of(() -> {
            Options options = Options.parse(requestOptions);
            ObjectNode request = JsonNodeFactory.instance.objectNode();
            request.set("publicKeyCredentialRequestOptions", options.json());
            credentials.ownerOf(options).ifPresent(user -> request.put("username", user));
            AssertionResult result = relyingParty.finishAssertion(FinishAssertionOptions.builder()
                    .request(AssertionRequest.fromJson(request.toString()))
                    .response(PublicKeyCredential.parseAssertionResponseJson(response))
                    .build());
            if (!result.isSuccess()) {
                throw new IllegalArgumentException("not successful");
            }
            credentials.count(result.getCredential().getCredentialId(), result.getSignatureCount());
            outputs = () -> read(result);
        });
    }

    /** Read on demand: the library accepts responses whose outputs it cannot read. */
    @Override
    public Map<String, Object> outputs() {
        return outputs.get();
    }

    private static Map<String, Object> read(RegistrationResult result) {
        Map<String, Object> found = new HashMap<>();
        result.getClientExtensionOutputs().ifPresent(unsigned -> {
            put(found, "credProps.rk", unsigned.getCredProps().flatMap(it -> it.getRk()));
            put(found, "largeBlob.supported", unsigned.getLargeBlob().map(it -> it.isSupported()));
            put(found, "prf.enabled", unsigned.getPrf().flatMap(it -> it.getEnabled()));
            put(found, "appidExclude", unsigned.getAppidExclude());
        });
        result.getAuthenticatorExtensionOutputs().ifPresent(signed -> {
            put(found, "credProtect", signed.getCredProtect().map(it -> it.ordinal() + 1));
            put(found, "uvm", signed.getUvm().map(List::size));
        });
        return found;
    }

    private static Map<String, Object> read(AssertionResult result) {
        Map<String, Object> found = new HashMap<>();
        result.getClientExtensionOutputs().ifPresent(unsigned -> {
            put(found, "largeBlob.written", unsigned.getLargeBlob().flatMap(it -> it.getWritten()));
            put(
                    found,
                    "largeBlob.blob",
                    unsigned.getLargeBlob().flatMap(it -> it.getBlob()).map(ByteArray::getBase64Url));
            put(found, "appid", unsigned.getAppid());
        });
        result.getAuthenticatorExtensionOutputs()
                .ifPresent(signed -> put(found, "uvm", signed.getUvm().map(List::size)));
        return found;
    }

    private static void put(Map<String, Object> found, String name, Optional<?> value) {
        value.ifPresent(it -> found.put(name, it));
    }

    /** The stored form of each passkey: the parts of the library's RegisteredCredential and the user name. */
    public List<String> storedCredentials() {
        return credentials.owned.stream()
                .map(it -> JsonNodeFactory.instance
                        .objectNode()
                        .put("username", it.user())
                        .put("credentialId", it.credential().getCredentialId().getBase64Url())
                        .put("userHandle", it.credential().getUserHandle().getBase64Url())
                        .put("publicKeyCose", it.credential().getPublicKeyCose().getBase64Url())
                        .put("signatureCount", it.credential().getSignatureCount())
                        .toString())
                .toList();
    }

    private record Owned(String user, RegisteredCredential credential) {}

    /** The library's repository interface, in memory. */
    private static final class Repository implements CredentialRepository {
        private final Set<Owned> owned = new HashSet<>();

        /** The user of the options, identified by the allowed credentials. */
        Optional<String> ownerOf(Options requestOptions) {
            return owned.stream()
                    .filter(it -> requestOptions
                            .allowed()
                            .contains(it.credential().getCredentialId().getBase64Url()))
                    .map(Owned::user)
                    .findFirst();
        }

        void count(ByteArray id, long signCount) {
            Owned before = owned.stream()
                    .filter(it -> it.credential().getCredentialId().equals(id))
                    .findFirst()
                    .orElseThrow();
            owned.remove(before);
            owned.add(new Owned(
                    before.user(),
                    before.credential().toBuilder().signatureCount(signCount).build()));
        }

        @Override
        public Set<PublicKeyCredentialDescriptor> getCredentialIdsForUsername(String username) {
            return owned.stream()
                    .filter(it -> it.user().equals(username))
                    .map(it -> PublicKeyCredentialDescriptor.builder()
                            .id(it.credential().getCredentialId())
                            .build())
                    .collect(Collectors.toSet());
        }

        @Override
        public Optional<ByteArray> getUserHandleForUsername(String username) {
            return owned.stream()
                    .filter(it -> it.user().equals(username))
                    .map(it -> it.credential().getUserHandle())
                    .findFirst();
        }

        @Override
        public Optional<String> getUsernameForUserHandle(ByteArray userHandle) {
            return owned.stream()
                    .filter(it -> it.credential().getUserHandle().equals(userHandle))
                    .map(Owned::user)
                    .findFirst();
        }

        @Override
        public Optional<RegisteredCredential> lookup(ByteArray credentialId, ByteArray userHandle) {
            return lookupAll(credentialId).stream()
                    .filter(it -> it.getUserHandle().equals(userHandle))
                    .findFirst();
        }

        @Override
        public Set<RegisteredCredential> lookupAll(ByteArray credentialId) {
            return owned.stream()
                    .map(Owned::credential)
                    .filter(it -> it.getCredentialId().equals(credentialId))
                    .collect(Collectors.toSet());
        }
    }
}
