// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

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
}
