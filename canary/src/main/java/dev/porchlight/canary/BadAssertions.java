// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
import java.util.List;
import java.util.stream.Stream;

/** The tampered assertions of a round, one for each check whose absence would let an attacker sign in. */
final class BadAssertions {
    private BadAssertions() {}

    /** The assertions that the service must refuse. Without required verification it may accept unverified users. */
    static List<Mutation> of(boolean verificationRequired) {
        // This one is first, because the earlier ceremony is then the login, whose challenge is used.
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
                .filter(mutation -> verificationRequired
                        || !mutation.preconditions().contains(Precondition.USER_VERIFICATION_REQUIRED))
                .toList();
    }

    /** The name as a metric label. */
    static String label(Mutation mutation) {
        return mutation.name().replace('-', '_');
    }
}
