// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.response.Credential;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;

/** Parsed creation options, with the defaults of the specification. */
final class CreationOptions {
    private final JsonObject options;
    private final JsonObject selection;

    private CreationOptions(JsonObject options) {
        this.options = options;
        this.selection =
                options.has("authenticatorSelection") ? options.object("authenticatorSelection") : new JsonObject();
        int handle = options.object("user").octets("id").length;
        if (handle < 1 || handle > 64) {
            throw new DomException("TypeError", "user.id must have 1 to 64 octets, not " + handle);
        }
        options.object("user").string("displayName");
        options.object("rp").string("name");
    }

    static CreationOptions parse(String json) {
        return new CreationOptions(JsonObject.parse(json));
    }

    String rpId(String otherwise) {
        return options.object("rp").string("id", otherwise);
    }

    byte[] challenge() {
        return options.octets("challenge");
    }

    String userHandle() {
        return options.object("user").string("id");
    }

    String userName() {
        return options.object("user").string("name");
    }

    List<Integer> algorithms() {
        List<Integer> offered = options.objects("pubKeyCredParams").stream()
                .filter(it -> it.string("type").equals("public-key"))
                .map(it -> it.integer("alg"))
                .toList();
        return offered.isEmpty() ? List.of(-7, -257) : offered;
    }

    /**
     * Every authenticator of the testkit supports discoverable passkeys, so only "discouraged" turns them off.
     */
    boolean discoverable() {
        String otherwise = selection.flag("requireResidentKey") ? "required" : "discouraged";
        return !selection.string("residentKey", otherwise).equals("discouraged");
    }

    String userVerification() {
        return selection.string("userVerification", "preferred");
    }

    boolean attest() {
        return !options.string("attestation", "none").equals("none");
    }

    Extensions extensions(SoftAuthenticator authenticator) {
        Extensions extensions = new Extensions(options, authenticator);
        extensions.checkCreation(userVerification());
        return extensions;
    }

    /** Throws if the authenticator cannot or must not create the passkey. */
    void check(SoftAuthenticator authenticator, String rpId) {
        String attachment = selection.string("authenticatorAttachment", authenticator.attachment());
        if (!attachment.equals(authenticator.attachment())) {
            throw new DomException("NotAllowedError", "no " + attachment + " authenticator is available");
        }
        if (userVerification().equals("required") && !authenticator.canVerifyUser()) {
            throw new DomException("NotAllowedError", "the authenticator cannot verify its user");
        }
        List<String> held =
                authenticator.held(rpId).stream().map(Credential::id).toList();
        if (options.objects("excludeCredentials").stream().anyMatch(it -> held.contains(it.string("id")))) {
            throw new DomException("InvalidStateError", "the authenticator already has a passkey of this account");
        }
    }
}
