// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text of docs/security/oracles.md, generated from the table of differences. */
final class OraclesPage {
    private OraclesPage() {}

    static String text() {
        long valid = Mutations.all().stream().filter(Mutation::valid).count();
        return """
                # Comparison with other libraries

                <!-- Written by OraclesTest from its table of differences; it fails when the two differ. -->

                Three relying parties with the same settings verify the same responses: this library,
                [webauthn4j](https://github.com/webauthn4j/webauthn4j) and
                [Yubico's java-webauthn-server](https://github.com/Yubico/java-webauthn-server), in the versions
                of `pom.xml`. They share no code with this library or with each other.

                | input | count |
                |---|---:|
                | invalid responses of `testkit`, one for each check of a relying party | %d |
                | valid but unusual responses of `testkit` | %d |
                | examples of the WebAuthn specification | all |

                - Only one response is accepted here and refused by both others: a `tokenBinding` with an unknown
                  status. Level 2 treats it as absent, Level 3 removed token binding, and no decision depends on it.
                - Every other difference is listed below with its reason. The test fails on an unlisted one.

                Few of these differences are bugs: both libraries leave some checks to the caller, and some input
                is harmless. This library refuses it because input with one spelling and one meaning is easier to
                reason about. The names are those of the mutations in `dev.porchlight.testkit.tamper`.

                ## Algorithms and extensions

                Passkeys of every algorithm that a library has. Those that this library does not have are refused,
                because they were not offered. No release of the others has ML-DSA: Yubico announces it for 2.10.0.

                %s
                The outputs of extensions that a library has a type for. All libraries that have one read the same
                value; outputs that a library does not know change nothing.

                %s
                - `appid`: here only a passkey of U2F may use the app id, and only if the client reports it.
                  Yubico's library accepts the app id from every passkey if it was requested; webauthn4j does not verify it.
                - `compound` attestation is verified here and refused by both others.

                ## Refused here, accepted there

                %s
                ## Accepted here, refused there

                %s""".formatted(
                        Mutations.all().size() - valid,
                        valid,
                        PeerFeatures.table("algorithm", PeerFeatures.ALGORITHMS),
                        PeerFeatures.table(
                                "output",
                                Stream.of(PeerFeatures.CREATED, PeerFeatures.WRITTEN, PeerFeatures.ASSERTED)
                                        .flatMap(List::stream)
                                        .toList()),
                        table(Differences.STRICTER),
                        table(Differences.LENIENT));
    }

    private static String table(List<Difference> differences) {
        String head = "| library | difference | cases |\n|---|---|---|\n";
        return differences.stream().map(OraclesPage::row).collect(Collectors.joining("", head, ""));
    }

    private static String row(Difference difference) {
        String who =
                difference.oracles().stream().map(Object::toString).sorted().collect(Collectors.joining(" and "));
        String which = difference.cases().stream().map(it -> "`" + it + "`").collect(Collectors.joining(", "));
        return "| %s | %s | %s |\n".formatted(who, difference.reason(), which);
    }
}
