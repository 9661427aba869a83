// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known about models of authenticators, and which of them may be used.
 *
 * @param policy which may be used
 * @param metadata the metadata of the moment, such as a {@link MetadataStore}; empty while there is none
 */
public record Authenticators(AuthenticatorPolicy policy, Supplier<Optional<MetadataBlob>> metadata) {
    /** Knows no model, and allows all. */
    public static final Authenticators UNKNOWN = new Authenticators(AuthenticatorPolicy.DEFAULT, Optional::empty);

    /** Returns the model with this AAGUID, a UUID in lower case, if it is known. */
    public Optional<AuthenticatorModel> find(@Nullable String aaguid) {
        return metadata.get().flatMap(blob -> blob.find(aaguid));
    }

    /**
     * Returns whether the key of a passkey is known to be in hardware: this service verified its attestation, and its model,
     * by the metadata of the moment, keeps keys in hardware and is neither denied nor compromised. A model of U2F is not
     * found again, because it has no AAGUID.
     */
    public boolean isHardwareKey(Authenticator passkey, Instant at) {
        String aaguid = passkey.aaguid();
        if (aaguid == null || !Authenticator.TRUSTED.equals(passkey.attestationTrust())) {
            return false;
        }
        var model = find(aaguid);
        return model.isPresent()
                && model.get().hardwareKeys()
                && policy.suspicion(aaguid, model, LocalDate.ofInstant(at, ZoneOffset.UTC))
                        .isEmpty();
    }
}
