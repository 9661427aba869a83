// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.List;
import java.util.stream.Collectors;

/** The page of the docs about the oracles, made from the table of differences. */
final class OraclesPage {
    private OraclesPage() {}

    static String text() {
        long valid = Mutations.all().stream().filter(Mutation::valid).count();
        return """
                # Second opinions

                <!-- Written by OraclesTest from its table of differences; it fails when the two differ. -->

                Every response that `testkit` can create (%d invalid mutations, one for each check a relying party must do,
                and %d valid ones that look unusual), and every example in the WebAuthn specification, is
                given to three relying parties with the same settings: this library,
                [webauthn4j](https://github.com/webauthn4j/webauthn4j) and
                [Yubico's java-webauthn-server](https://github.com/Yubico/java-webauthn-server), in the versions
                that `pom.xml` names. They share no code with this one or with each other.

                - One thing is accepted here that both others refuse: a `tokenBinding` with an unknown status. Level 2
                  says that it counts as absent, Level 3 dropped token binding, and no decision depends on it.
                - Every other difference is listed below with its reason, and the test fails on one that is not.

                Both libraries are sound, and few of these differences are faults: some checks they leave to their
                caller, and some input is harmless. We refuse it because what has one spelling and one meaning is
                easier to reason about. The names are those of the mutations in `dev.porchlight.testkit.tamper`.

                ## Refused here, accepted there

                %s
                ## Accepted here, refused there

                %s""".formatted(
                        Mutations.all().size() - valid, valid, table(Differences.STRICTER), table(Differences.LENIENT));
    }

    private static String table(List<Difference> differences) {
        String head = "| who | why | which |\n|---|---|---|\n";
        return differences.stream().map(OraclesPage::row).collect(Collectors.joining("", head, ""));
    }

    private static String row(Difference difference) {
        String who =
                difference.oracles().stream().map(Object::toString).sorted().collect(Collectors.joining(" and "));
        String which = difference.cases().stream().map(it -> "`" + it + "`").collect(Collectors.joining(", "));
        return "| %s | %s | %s |\n".formatted(who, difference.reason(), which);
    }
}
