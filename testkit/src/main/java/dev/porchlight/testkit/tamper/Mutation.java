// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import dev.porchlight.testkit.response.Seams;
import java.util.Set;

/**
 * A named change to a response. Immutable.
 *
 * <p>Pass it to {@code SoftBrowser.create} or {@code get}. The rest of the response is valid, so a relying party that accepts an
 * invalid mutation is missing the targeted check.
 *
 * @param name a short name, unique within its ceremony: {@code origin-over-plain-http}
 * @param description the description of the response, without a subject: {@code leaves the origin out}
 * @param target the targeted step of WebAuthn Level 2, with the known trap if there is one: {@code 7.1.9 T25}
 * @param valid whether the response is unusual but valid, so that a relying party must accept it
 * @param preconditions the conditions that a test must arrange first
 * @param seams the changes for the software browser
 */
@SuppressWarnings("exports") // seams are used between two packages of the testkit
public record Mutation(
        CeremonyType ceremony,
        String name,
        String description,
        String target,
        boolean valid,
        Set<Precondition> preconditions,
        Seams seams) {
    /** The ceremony and the name: {@code registration/origin-over-plain-http}. */
    @Override
    public String toString() {
        return ceremony + "/" + name;
    }
}
