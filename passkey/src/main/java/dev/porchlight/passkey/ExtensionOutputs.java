// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CborValue;
import java.util.Map;
import java.util.Optional;

/**
 * The outputs of the extensions that a ceremony requested. Others are ignored. Immutable.
 *
 * <p>The first two are in the authenticator data. The authenticator signs it at every login, but at registration only for an
 * attestation. The others are reported by the browser and unsigned: an attacker in the browser can choose them, and the first
 * two at a registration without attestation.
 */
public final class ExtensionOutputs {
    private final Map<String, Extension> requested;
    private final AuthenticatorData data;
    private final JsonObject unsigned;

    ExtensionOutputs(Map<String, Extension> requested, AuthenticatorData data, JsonObject unsigned) {
        this.requested = requested;
        this.data = data;
        this.unsigned = unsigned;
    }

    /** Signed: when the authenticator requires user verification for this passkey. */
    public Optional<Extensions.CredentialProtection> credentialProtection() {
        return CredProtect.policy(this);
    }

    /** Signed: the minimum length of the authenticator's PIN. */
    public Optional<Long> minPinLength() {
        return MinPinLength.length(this);
    }

    /** Unsigned: whether the passkey supports the prf extension. */
    public Optional<Boolean> prfEnabled() {
        return Prf.enabled(this);
    }

    /** Unsigned: whether the passkey can store a large blob. */
    public Optional<Boolean> largeBlobSupported() {
        return LargeBlob.flag(this, "supported");
    }

    /** Unsigned: whether the large blob was written. */
    public Optional<Boolean> largeBlobWritten() {
        return LargeBlob.flag(this, "written");
    }

    /** Unsigned: the content of the large blob, in base64url. */
    public Optional<String> largeBlob() {
        return LargeBlob.content(this);
    }

    /**
     * The outputs of a registration as a JSON object with the members {@code signed} and {@code unsigned}, which are named like
     * these methods; empty if no extension was requested.
     */
    public Optional<String> toJson() {
        return requested.isEmpty()
                ? Optional.empty()
                : Optional.of(JsonWriter.object(json -> json.object(
                                "signed",
                                it -> it.optionalText(
                                                "credentialProtection",
                                                credentialProtection()
                                                        .map(policy -> policy.value)
                                                        .orElse(null))
                                        .optionalNumber(
                                                "minPinLength", minPinLength().orElse(null)))
                        .object(
                                "unsigned",
                                it -> it.optionalBool("prfEnabled", prfEnabled().orElse(null))
                                        .optionalBool(
                                                "largeBlobSupported",
                                                largeBlobSupported().orElse(null)))));
    }

    /** Returns a signed number from 1 on, unless it was not requested or is invalid. */
    Optional<Long> signedNumber(String extension, long most) {
        return requested.containsKey(extension)
                        && data.extensions() != null
                        && data.extensions().get(extension) instanceof CborValue.Int number
                        && number.value() >= 1
                        && number.value() <= most
                ? Optional.of(number.value())
                : Optional.empty();
    }

    /** Returns a flag of an unsigned output. An unusable one counts as absent. */
    Optional<Boolean> flag(String extension, String name) {
        return unsigned(extension, name).map(output -> output.value(name) instanceof Boolean flag ? flag : null);
    }

    /** Returns an unsigned output, unless this member of it was not requested or it is unusable. */
    Optional<JsonObject> unsigned(String extension, String member) {
        Extension input = requested.get(extension);
        try {
            return input != null && input.output().equals(member) && unsigned.isObject(extension)
                    ? Optional.of(unsigned.object(extension))
                    : Optional.empty();
        } catch (MalformedException e) {
            return Optional.empty();
        }
    }
}
