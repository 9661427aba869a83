// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Precondition;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.List;
import java.util.stream.Stream;

/** The tampered assertions of a round: one for each check that, left out, would let in somebody else. */
final class BadAssertions {
    private BadAssertions() {}

    /** Those that the service must refuse; it may accept users who are not verified. */
    static List<Mutation> of(boolean verificationRequired) {
        // The first comes first because the earlier ceremony is then the login, whose challenge is used.
        return Stream.of(
                        "challenge-of-an-earlier-ceremony",
                        "type-of-the-other-ceremony",
                        "challenge-never-issued",
                        "origin-of-another-site",
                        "rp-id-hash-of-another-party",
                        "user-not-present",
                        "user-not-verified",
                        "signed-by-another-key",
                        "signature-one-bit-off",
                        "authenticator-data-changed-later",
                        "passkey-never-registered")
                .map(name -> Mutations.named(CeremonyType.AUTHENTICATION, name))
                .filter(mutation -> verificationRequired || !mutation.preconditions().contains(Precondition.USER_VERIFICATION_REQUIRED))
                .toList();
    }

    /** The name as the label of a metric. */
    static String label(Mutation mutation) {
        return mutation.name().replace('-', '_');
    }
}
