// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.data.AuthenticatorData;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of the extensions that a ceremony requested. Others are ignored. Immutable.
 *
 * <p>The first two are signed by the authenticator. The others are reported by the browser and unsigned: an attacker in the
 * browser can choose them.
 */
public final class ExtensionOutputs {
    private final Extensions requested;
    private final AuthenticatorData data;
    private final JsonObject unsigned;

    ExtensionOutputs(Extensions requested, AuthenticatorData data, JsonObject unsigned) {
        this.requested = requested;
        this.data = data;
        this.unsigned = unsigned;
    }

    /** Signed: when the authenticator requires user verification for this passkey. */
    public Optional<Extensions.CredentialProtection> credentialProtection() {
        return requested.requests("credProtect")
                ? Optional.ofNullable(Extensions.CredentialProtection.of(data.credentialProtection()))
                : Optional.empty();
    }

    /** Signed: the minimum length of the authenticator's PIN. */
    public Optional<Long> minPinLength() {
        return requested.requests("minPinLength") ? Optional.ofNullable(data.minPinLength()) : Optional.empty();
    }

    /** Unsigned: whether the passkey supports the prf extension. */
    public Optional<Boolean> prfEnabled() {
        return flag("prf", "enabled");
    }

    /** Unsigned: whether the passkey can store a large blob. */
    public Optional<Boolean> largeBlobSupported() {
        return flag("largeBlob", "supported");
    }

    /** Unsigned: whether the large blob was written. */
    public Optional<Boolean> largeBlobWritten() {
        return flag("largeBlob", "written");
    }

    /** Unsigned: the content of the large blob, in base64url. */
    public Optional<String> largeBlob() {
        return Optional.ofNullable(output("largeBlob")).map(output -> JsonObject.find(output.toJson(), "blob"));
    }

    private Optional<Boolean> flag(String extension, String name) {
        JsonObject output = output(extension);
        try {
            return output == null ? Optional.empty() : Optional.ofNullable(output.optionalBool(name));
        } catch (MalformedException e) {
            return Optional.empty(); // unsigned, so an unusable value is as good as none
        }
    }

    private @Nullable JsonObject output(String extension) {
        try {
            return requested.requests(extension) && unsigned.isObject(extension) ? unsigned.object(extension) : null;
        } catch (MalformedException e) {
            return null;
        }
    }
}
