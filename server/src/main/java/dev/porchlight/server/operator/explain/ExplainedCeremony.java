// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.Ceremony;
import dev.porchlight.server.history.CeremonyEvent;
import dev.porchlight.server.history.Fact;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ceremony with its explanation.
 *
 * @param user the user, or empty if unknown
 * @param cause the cause of the failure; null if the ceremony succeeded or is pending
 * @param kept whether the refused response is kept, so that every step can be explained
 */
public record ExplainedCeremony(
        Ceremony ceremony, String user, @Nullable Cause cause, List<Fact> facts, boolean kept) {
    public ExplainedCeremony {
        facts = List.copyOf(facts);
    }

    /**
     * Writes the ceremony.
     *
     * @param language the language tag of the sentences about its cause
     */
    public void write(JsonWriter json, String language) {
        ceremony.write(json);
        json.text("user", user)
                .objects("facts", facts, (fact, from) -> from.write(fact))
                .bool("kept", kept);
        if (cause != null) {
            CeremonyEvent failure = ceremony.failure();
            json.object("cause", member -> {
                cause.in(language).write(member);
                member.text("expected", failure.expected()).text("found", failure.found());
            });
        }
    }
}
