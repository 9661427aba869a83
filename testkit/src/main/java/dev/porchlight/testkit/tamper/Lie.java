// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import dev.porchlight.testkit.response.Seams;
import java.util.EnumSet;
import java.util.Set;

/**
 * One named lie, or one oddity that only looks like one. Immutable.
 *
 * <p>Told by handing it to {@code SoftBrowser.create} or {@code get}. Everything else in the response is honest, so a
 * relying party that accepts it has left out the very check the lie is aimed at.
 */
public final class Lie {
    private final Ceremony ceremony;
    private final String name;
    private final String sentence;
    private final String target;
    private final boolean truthful;
    private final Set<Premise> premises;
    private final Seams seams;

    Lie(
            Ceremony ceremony,
            String name,
            String sentence,
            String target,
            boolean truthful,
            Set<Premise> premises,
            Seams seams) {
        this.ceremony = ceremony;
        this.name = name;
        this.sentence = sentence;
        this.target = target;
        this.truthful = truthful;
        this.premises = premises;
        this.seams = seams;
    }

    public Ceremony ceremony() {
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

    /** Whether this is no lie but an oddity that a relying party has to accept. */
    public boolean truthful() {
        return truthful;
    }

    /** What the test has to arrange first. */
    public Set<Premise> premises() {
        return premises.isEmpty() ? Set.of() : EnumSet.copyOf(premises);
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
