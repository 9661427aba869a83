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
 * A table of mutations, in sections by targeted step.
 *
 * <p>A section with a step of 7.1 and one of 7.2 has mutations for both ceremonies.
 */
abstract class MutationTable {
    private final List<Mutation> rows = new ArrayList<>();
    private List<Heading> headings = List.of();
    private Set<Precondition> preconditions = Set.of();

    private record Heading(CeremonyType ceremony, String target) {}

    final List<Mutation> rows() {
        return rows;
    }

    /** Starts a section for both ceremonies. */
    final void inBoth(String registrationStep, String authenticationStep, String trap) {
        preconditions = Set.of();
        headings = List.of(
                heading(CeremonyType.REGISTRATION, registrationStep, trap),
                heading(CeremonyType.AUTHENTICATION, authenticationStep, trap));
    }

    /** Starts a section for one ceremony, with preconditions. */
    final void in(CeremonyType ceremony, String step, String trap, Precondition... needed) {
        preconditions = Set.of(needed);
        headings = List.of(heading(ceremony, step, trap));
    }

    private static Heading heading(CeremonyType ceremony, String step, String trap) {
        return new Heading(ceremony, trap.isEmpty() ? step : step + " " + trap);
    }

    /** Adds an invalid mutation, which must be refused. */
    final void invalid(String name, String description, Seams seams) {
        add(name, description, false, seams);
    }

    /** Adds a valid mutation, which must be accepted. */
    final void valid(String name, String description, Seams seams) {
        add(name, description, true, seams);
    }

    /** Adds an invalid mutation with this attester. */
    final void attester(String name, String description, Attester attester) {
        invalid(name, description, swap(ATTESTER, it -> attester));
    }

    /** Adds an invalid mutation with this attester and a change to its statement. */
    final void statement(String name, String description, Attester attester, Consumer<Statement> change) {
        invalid(name, description, swap(ATTESTER, it -> attester).edit(STATEMENT, change));
    }

    static void flipSignature(Statement statement) {
        if (statement.members().get("sig") instanceof byte[] signature) {
            statement.put("sig", Octets.flip(signature, -1, 0));
        }
    }

    private void add(String name, String description, boolean valid, Seams seams) {
        for (Heading heading : headings) {
            rows.add(
                    new Mutation(heading.ceremony(), name, description, heading.target(), valid, preconditions, seams));
        }
    }

    static <T> Seams edit(Seam<T> seam, Consumer<T> change) {
        return Seams.UNCHANGED.edit(seam, change);
    }

    static <T> Seams swap(Seam<T> seam, UnaryOperator<T> change) {
        return Seams.UNCHANGED.swap(seam, change);
    }
}
