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
 * A table of mutations on one theme: sections headed by the step they are aimed at, one row a mutation.
 *
 * <p>A section that names a step of 7.1 and one of 7.2 holds mutations that are told in both ceremonies.
 */
abstract class MutationTable {
    private final List<Mutation> rows = new ArrayList<>();
    private List<Heading> headings = List.of();
    private Set<Precondition> preconditions = Set.of();

    private record Heading(CeremonyType ceremony, String target) {}

    final List<Mutation> rows() {
        return rows;
    }

    /** Lies for both ceremonies. */
    final void inBoth(String registrationStep, String authenticationStep, String trap) {
        preconditions = Set.of();
        headings = List.of(
                heading(CeremonyType.REGISTRATION, registrationStep, trap),
                heading(CeremonyType.AUTHENTICATION, authenticationStep, trap));
    }

    /** Lies for one ceremony, with what must hold for them. */
    final void in(CeremonyType ceremony, String step, String trap, Precondition... needed) {
        preconditions = Set.of(needed);
        headings = List.of(heading(ceremony, step, trap));
    }

    private static Heading heading(CeremonyType ceremony, String step, String trap) {
        return new Heading(ceremony, trap.isEmpty() ? step : step + " " + trap);
    }

    final void invalid(String name, String sentence, Seams seams) {
        add(name, sentence, false, seams);
    }

    /** A row that looks like a mutation and must be accepted. */
    final void valid(String name, String sentence, Seams seams) {
        add(name, sentence, true, seams);
    }

    /** A mutation of an authenticator that attests in this way. */
    final void attester(String name, String sentence, Attester attester) {
        invalid(name, sentence, swap(ATTESTER, it -> attester));
    }

    /** The same, where the statement is changed afterwards. */
    final void statement(String name, String sentence, Attester attester, Consumer<Statement> change) {
        invalid(name, sentence, swap(ATTESTER, it -> attester).edit(STATEMENT, change));
    }

    static void flipSignature(Statement statement) {
        if (statement.members().get("sig") instanceof byte[] signature) {
            statement.put("sig", Octets.flip(signature, -1, 0));
        }
    }

    private void add(String name, String sentence, boolean valid, Seams seams) {
        for (Heading heading : headings) {
            rows.add(new Mutation(heading.ceremony(), name, sentence, heading.target(), valid, preconditions, seams));
        }
    }

    static <T> Seams edit(Seam<T> seam, Consumer<T> change) {
        return Seams.HONEST.edit(seam, change);
    }

    static <T> Seams swap(Seam<T> seam, UnaryOperator<T> change) {
        return Seams.HONEST.swap(seam, change);
    }
}
