// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import java.util.List;
import java.util.Objects;

/** The credential a ceremony is about, beside all others that the authenticator holds for the relying party. */
public record Choice(Credential credential, List<Credential> others) {
    public Choice with(Credential other) {
        return new Choice(other, others);
    }

    /** A credential of somebody else. */
    public Credential stranger() {
        return others.stream()
                .filter(other -> !Objects.equals(other.userHandle(), credential.userHandle()))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "this mutation needs an authenticator that holds a passkey of another user of the relying party"));
    }
}
