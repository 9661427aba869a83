// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import java.util.List;
import java.util.Objects;

/** The credential of a ceremony, and all others that the authenticator has for the relying party. */
public record Choice(Credential credential, List<Credential> others) {
    public Choice with(Credential other) {
        return new Choice(other, others);
    }

    /** Returns a credential of another user. */
    public Credential ofAnotherUser() {
        return others.stream()
                .filter(other -> !Objects.equals(other.userHandle(), credential.userHandle()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "this mutation needs an authenticator with a passkey of another user of the relying party"));
    }
}
