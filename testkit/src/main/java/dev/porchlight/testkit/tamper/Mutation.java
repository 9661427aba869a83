// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import dev.porchlight.testkit.response.Seams;
import java.util.EnumSet;
import java.util.Set;

/**
 * A named change to a response. Immutable.
 *
 * <p>Pass it to {@code SoftBrowser.create} or {@code get}. The rest of the response is valid, so a relying party that accepts an
 * invalid mutation is missing the targeted check.
 */
public final class Mutation {
    private final CeremonyType ceremony;
    private final String name;
    private final String description;
    private final String target;
    private final boolean valid;
    private final Set<Precondition> preconditions;
    private final Seams seams;

    Mutation(
            CeremonyType ceremony,
            String name,
            String description,
            String target,
            boolean valid,
            Set<Precondition> preconditions,
            Seams seams) {
        this.ceremony = ceremony;
        this.name = name;
        this.description = description;
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

    /** The description of the response, without a subject: {@code leaves the origin out}. */
    public String description() {
        return description;
    }

    /**
     * The targeted step of WebAuthn Level 2, with the known trap if there is one: {@code 7.1.9 T25}.
     */
    public String target() {
        return target;
    }

    /** Returns whether the response is unusual but valid, so that a relying party must accept it. */
    public boolean valid() {
        return valid;
    }

    /** The conditions that a test must arrange first. */
    public Set<Precondition> preconditions() {
        return preconditions.isEmpty() ? Set.of() : EnumSet.copyOf(preconditions);
    }

    /** The changes for the software browser. */
    @SuppressWarnings("exports") // used between two packages of the testkit
    public Seams seams() {
        return seams;
    }

    /** The ceremony and the name: {@code registration/origin-over-plain-http}. */
    @Override
    public String toString() {
        return ceremony + "/" + name;
    }
}
