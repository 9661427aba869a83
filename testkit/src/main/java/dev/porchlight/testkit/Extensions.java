// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.response.Credential;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The extensions that options request, and the outputs of the browser and the authenticator. */
final class Extensions {
    /** In the order of their numbers, from 1. */
    private static final List<String> PROTECTION = List.of(
            "userVerificationOptional", "userVerificationOptionalWithCredentialIDList", "userVerificationRequired");

    private static final int MIN_PIN_LENGTH = 4;

    private final SoftAuthenticator authenticator;
    private final JsonObject inputs;
    private final JsonObject prf;
    private final JsonObject blob;

    Extensions(JsonObject options, SoftAuthenticator authenticator) {
        this.authenticator = authenticator;
        this.inputs = member(options, "extensions");
        this.prf = member(inputs, "prf");
        this.blob = member(inputs, "largeBlob");
    }

    private static JsonObject member(JsonObject object, String name) {
        return object.has(name) ? object.object(name) : new JsonObject();
    }

    void checkCreation(String userVerification) {
        String policy = inputs.string("credentialProtectionPolicy", "");
        require(
                !policy.equals("userVerificationRequired") || userVerification.equals("required"),
                "NotSupportedError",
                "a passkey that requires user verification is created with it");
        require(
                !policy.equals("userVerificationOptional") || !inputs.flag("enforceCredentialProtectionPolicy"),
                "NotSupportedError",
                "there is nothing to enforce");
        require(!prf.has("evalByCredential"), "NotSupportedError", "evalByCredential is only for logins");
        require(!blob.has("read") && !blob.has("write"), "NotSupportedError", "a large blob has no content yet");
        require(
                !blob.string("support", "").equals("required") || supports("largeBlob"),
                "NotAllowedError",
                "no authenticator with large blobs is available");
    }

    void checkRequest(List<String> allowed) {
        List<String> named = List.copyOf(member(prf, "evalByCredential").names());
        require(named.isEmpty() || !allowed.isEmpty(), "NotSupportedError", "evalByCredential needs allowCredentials");
        require(allowed.containsAll(named), "SyntaxError", "evalByCredential names a passkey that is not allowed");
        require(!blob.has("support"), "NotSupportedError", "support is only for registrations");
        require(!blob.has("read") || !blob.has("write"), "NotSupportedError", "either read or write");
        require(!blob.has("write") || allowed.size() == 1, "NotSupportedError", "a write needs one allowed passkey");
    }

    /** Returns the requirement of the ceremony: keys are derived only after user verification. */
    String userVerification(String requested) {
        return prf.has("eval") || prf.has("evalByCredential") ? "required" : requested;
    }

    /** Returns the outputs that the authenticator signs at registration. */
    Map<Object, Object> signed() {
        Map<Object, Object> outputs = Cbor.map();
        if (inputs.has("credentialProtectionPolicy") && supports("credProtect")) {
            outputs.put("credProtect", 1 + PROTECTION.indexOf(inputs.string("credentialProtectionPolicy")));
        }
        if (inputs.has("prf") && supports("prf")) {
            outputs.put("hmac-secret", true);
        }
        if (inputs.flag("minPinLength") && supports("minPinLength")) {
            outputs.put("minPinLength", MIN_PIN_LENGTH);
        }
        return outputs;
    }

    /** Returns the client's outputs of a registration. */
    JsonObject created(Credential credential) {
        JsonObject outputs = new JsonObject();
        if (inputs.flag("credProps")) {
            outputs.put("credProps", new JsonObject().put("rk", credential.discoverable()));
        }
        if (inputs.has("prf")) {
            outputs.put("prf", new JsonObject().put("enabled", supports("prf")));
        }
        if (inputs.has("largeBlob")) {
            outputs.put("largeBlob", new JsonObject().put("supported", supports("largeBlob")));
        }
        if (inputs.has("appidExclude")) {
            outputs.put("appidExclude", true);
        }
        return outputs;
    }

    /** Returns the client's outputs of a login, without the results of prf. Writes the large blob. */
    JsonObject asserted(Credential credential) {
        JsonObject outputs = new JsonObject();
        if (inputs.has("prf")) {
            outputs.put("prf", new JsonObject());
        }
        if (blob.has("write")) {
            boolean written = supports("largeBlob");
            if (written) {
                authenticator.blobs().put(credential.id(), blob.string("write"));
            }
            outputs.put("largeBlob", new JsonObject().put("written", written));
        } else if (blob.flag("read")) {
            String content = authenticator.blobs().get(credential.id());
            outputs.put("largeBlob", content == null ? new JsonObject() : new JsonObject().put("blob", content));
        }
        if (inputs.has("appid")) {
            outputs.put("appid", false);
        }
        return outputs;
    }

    /** Returns the results of prf: none, one or two. */
    List<byte[]> results(Credential credential) {
        JsonObject own = member(member(prf, "evalByCredential"), credential.id());
        JsonObject eval = own.has("first") ? own : member(prf, "eval");
        List<byte[]> results = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            if (eval.has(name) && supports("prf")) {
                results.add(evaluate(credential, eval.octets(name)));
            }
        }
        return results;
    }

    /** Section 10.1.4, with a secret that depends on the private key. */
    private static byte[] evaluate(Credential credential, byte[] input) {
        byte[] secret = Octets.sha256(
                Octets.utf8("hmac-secret"), credential.key().privateKey().getEncoded());
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(Octets.sha256(Octets.utf8("WebAuthn PRF"), Octets.of(0), input));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean supports(String extension) {
        return authenticator.supports(extension);
    }

    private static void require(boolean condition, String name, String reason) {
        if (!condition) {
            throw new DomException(name, reason);
        }
    }
}
