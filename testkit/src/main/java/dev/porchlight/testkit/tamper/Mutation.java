// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import dev.porchlight.testkit.response.Seams;
import java.util.EnumSet;
import java.util.Set;

/**
 * One named mutation, or one oddity that only looks like one. Immutable.
 *
 * <p>Told by handing it to {@code SoftBrowser.create} or {@code get}. Everything else in the response is honest, so a
 * relying party that accepts it has left out the very check the mutation is aimed at.
 */
public final class Mutation {
    private final CeremonyType ceremony;
    private final String name;
    private final String sentence;
    private final String target;
    private final boolean valid;
    private final Set<Precondition> preconditions;
    private final Seams seams;

    Mutation(
            CeremonyType ceremony,
            String name,
            String sentence,
            String target,
            boolean valid,
            Set<Precondition> preconditions,
            Seams seams) {
        this.ceremony = ceremony;
        this.name = name;
        this.sentence = sentence;
        this.target = target;
        this.valid = valid;
        this.preconditions = preconditions;
        this.seams = seams;
    }

    public CeremonyType ceremony() {
        return ceremony;
    }

    /** A short name, unique within its ceremony: {@code origin-over-plain-http}. */
    public String name() {
        return name;
    }

    /** What the response does, in one sentence. */
    public String sentence() {
        return sentence;
    }

    /**
     * The step of WebAuthn Level 2 it is aimed at, for example {@code 7.1.9}; the trap after it if there is one:
     * {@code 7.1.9 T25}.
     */
    public String target() {
        return target;
    }

    /** Whether this is no mutation but an oddity that a relying party has to accept. */
    public boolean valid() {
        return valid;
    }

    /** What the test has to arrange first. */
    public Set<Precondition> preconditions() {
        return preconditions.isEmpty() ? Set.of() : EnumSet.copyOf(preconditions);
    }

    /** How the kit's own browser tells it. */
    @SuppressWarnings("exports") // the seams stay inside the kit, two packages of which meet here
    public Seams seams() {
        return seams;
    }

    /** The ceremony and the name: {@code registration/origin-over-plain-http}. */
    @Override
    public String toString() {
        return ceremony + "/" + name;
    }
}
