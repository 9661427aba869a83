// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import dev.porchlight.testkit.tamper.Lie;
import dev.porchlight.testkit.tamper.Tamper;
import java.util.List;
import java.util.stream.Collectors;

/** The page of the docs about the oracles, made from the table of differences. */
final class OraclesPage {
    private OraclesPage() {}

    static String text() {
        long oddities = Tamper.all().stream().filter(Lie::truthful).count();
        return """
                # Second opinions

                <!-- Written by OraclesTest from its table of differences; it fails when the two part. -->

                Every response that `testkit` can make (%d lies, one for each thing a relying party must verify,
                and %d oddities, which only look like lies), and every example in the WebAuthn specification, is
                given to three relying parties with the same settings: this library,
                [webauthn4j](https://github.com/webauthn4j/webauthn4j) and
                [Yubico's java-webauthn-server](https://github.com/Yubico/java-webauthn-server), in the versions
                that `pom.xml` names. They share no code with this one or with each other.

                - One thing is accepted here that both others refuse: a `tokenBinding` with an unknown status. Level 2
                  says that it counts as absent, Level 3 dropped token binding, and no decision depends on it.
                - Every other difference is listed below with its reason, and the test fails on one that is not.

                Both libraries are sound, and few of these differences are faults: some checks they leave to their
                caller, and some input is harmless. We refuse it because what has one spelling and one meaning is
                easier to reason about. The names are those of the lies in `dev.porchlight.testkit.tamper`.

                ## Refused here, accepted there

                %s
                ## Accepted here, refused there

                %s""".formatted(
                Tamper.all().size() - oddities, oddities, table(Differences.STRICTER), table(Differences.LENIENT));
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
