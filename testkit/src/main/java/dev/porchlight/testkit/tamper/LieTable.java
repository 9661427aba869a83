// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.ATTESTER;
import static dev.porchlight.testkit.response.Seam.STATEMENT;

import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.response.Seam;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A table of lies on one theme: sections headed by the step they are aimed at, one row a lie.
 *
 * <p>A section that names a step of 7.1 and one of 7.2 holds lies that are told in both ceremonies.
 */
abstract class LieTable {
    private final List<Lie> rows = new ArrayList<>();
    private List<Heading> headings = List.of();
    private Set<Premise> premises = Set.of();

    private record Heading(Ceremony ceremony, String target) {}

    final List<Lie> rows() {
        return rows;
    }

    /** Lies for both ceremonies. */
    final void inBoth(String registrationStep, String authenticationStep, String trap) {
        premises = Set.of();
        headings = List.of(
                heading(Ceremony.REGISTRATION, registrationStep, trap),
                heading(Ceremony.AUTHENTICATION, authenticationStep, trap));
    }

    /** Lies for one ceremony, with what must hold for them. */
    final void in(Ceremony ceremony, String step, String trap, Premise... needed) {
        premises = Set.of(needed);
        headings = List.of(heading(ceremony, step, trap));
    }

    private static Heading heading(Ceremony ceremony, String step, String trap) {
        return new Heading(ceremony, trap.isEmpty() ? step : step + " " + trap);
    }

    final void lie(String name, String sentence, Seams seams) {
        add(name, sentence, false, seams);
    }

    /** A row that looks like a lie and must be accepted. */
    final void oddity(String name, String sentence, Seams seams) {
        add(name, sentence, true, seams);
    }

    /** A lie of an authenticator that attests in this way. */
    final void attester(String name, String sentence, Attester attester) {
        lie(name, sentence, swap(ATTESTER, it -> attester));
    }

    /** The same, where the statement is changed afterwards. */
    final void statement(String name, String sentence, Attester attester, Consumer<Statement> change) {
        lie(name, sentence, swap(ATTESTER, it -> attester).edit(STATEMENT, change));
    }

    static void flipSignature(Statement statement) {
        if (statement.members().get("sig") instanceof byte[] signature) {
            statement.put("sig", Octets.flip(signature, -1, 0));
        }
    }

    private void add(String name, String sentence, boolean truthful, Seams seams) {
        for (Heading heading : headings) {
            rows.add(new Lie(heading.ceremony(), name, sentence, heading.target(), truthful, premises, seams));
        }
    }

    static <T> Seams edit(Seam<T> seam, Consumer<T> change) {
        return Seams.HONEST.edit(seam, change);
    }

    static <T> Seams swap(Seam<T> seam, UnaryOperator<T> change) {
        return Seams.HONEST.swap(seam, change);
    }
}
