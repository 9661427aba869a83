// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import com.yubico.webauthn.AssertionRequest;
import com.yubico.webauthn.AssertionResult;
import com.yubico.webauthn.CredentialRepository;
import com.yubico.webauthn.FinishAssertionOptions;
import com.yubico.webauthn.FinishRegistrationOptions;
import com.yubico.webauthn.RegisteredCredential;
import com.yubico.webauthn.RegistrationResult;
import com.yubico.webauthn.RelyingParty;
import com.yubico.webauthn.data.ByteArray;
import com.yubico.webauthn.data.PublicKeyCredential;
import com.yubico.webauthn.data.PublicKeyCredentialCreationOptions;
import com.yubico.webauthn.data.PublicKeyCredentialDescriptor;
import com.yubico.webauthn.data.RelyingPartyIdentity;
import com.yubico.webauthn.exception.AssertionFailedException;
import com.yubico.webauthn.exception.RegistrationFailedException;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Yubico's library as documented, over a repository at no cost. */
final class Yubico implements CredentialRepository {
    private final Material material;
    private final RelyingParty relyingParty = RelyingParty.builder()
            .identity(RelyingPartyIdentity.builder()
                    .id(Material.RP_ID)
                    .name("Example")
                    .build())
            .credentialRepository(this)
            .origins(Set.of(Material.ORIGIN))
            .build();
    private final PublicKeyCredentialCreationOptions creationOptions;
    private final AssertionRequest assertionRequest;
    private @Nullable RegisteredCredential credential;

    Yubico(Material material) {
        this.material = material;
        try {
            creationOptions = PublicKeyCredentialCreationOptions.fromJson(withExtensions(offering(material)));
            assertionRequest = AssertionRequest.fromJson("{\"username\":\"" + Material.USER
                    + "\",\"publicKeyCredentialRequestOptions\":" + withExtensions(material.requestOptions) + "}");
            RegistrationResult result = register();
            credential = RegisteredCredential.builder()
                    .credentialId(result.getKeyId().getId())
                    .userHandle(creationOptions.getUser().getId())
                    .publicKeyCose(result.getPublicKeyCose())
                    .signatureCount(result.getSignatureCount())
                    .build();
        } catch (IOException | RegistrationFailedException e) {
            throw new IllegalStateException(e);
        }
    }

    RegistrationResult register() throws IOException, RegistrationFailedException {
        return relyingParty.finishRegistration(FinishRegistrationOptions.builder()
                .request(creationOptions)
                .response(PublicKeyCredential.parseRegistrationResponseJson(material.registration))
                .build());
    }

    AssertionResult authenticate() throws IOException, AssertionFailedException {
        return relyingParty.finishAssertion(FinishAssertionOptions.builder()
                .request(assertionRequest)
                .response(PublicKeyCredential.parseAssertionResponseJson(material.assertion))
                .build());
    }

    /** The options with one algorithm, because the library cannot read some numbers. */
    private static String offering(Material material) {
        JsonObject offered = new JsonObject().put("type", "public-key").put("alg", (long) material.algorithm);
        return JsonObject.parse(material.creationOptions)
                .put("pubKeyCredParams", List.of(offered))
                .toString();
    }

    /** The library requires a member that is optional in the standard. */
    private static String withExtensions(String options) {
        return options.contains("\"extensions\"") ? options : "{\"extensions\":{}," + options.substring(1);
    }

    @Override
    public Set<PublicKeyCredentialDescriptor> getCredentialIdsForUsername(String username) {
        return Set.of();
    }

    @Override
    public Optional<ByteArray> getUserHandleForUsername(String username) {
        return Optional.of(creationOptions.getUser().getId());
    }

    @Override
    public Optional<String> getUsernameForUserHandle(ByteArray userHandle) {
        return Optional.of(Material.USER);
    }

    @Override
    public Optional<RegisteredCredential> lookup(ByteArray credentialId, ByteArray userHandle) {
        return Optional.ofNullable(credential);
    }

    @Override
    public Set<RegisteredCredential> lookupAll(ByteArray credentialId) {
        return Set.of();
    }
}
