// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.Ceremony;
import dev.porchlight.server.history.CeremonyEvent;
import dev.porchlight.server.history.Fact;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ceremony with its explanation.
 *
 * @param user the user whose attempt it is, or empty if that is unknown
 * @param subject the user that the cause is about, or empty: also the holder of a name that someone else may have typed
 * @param cause the cause of the failure; null if the ceremony succeeded or is pending
 * @param kept whether the refused response is kept, so that every step can be explained
 */
public record ExplainedCeremony(
        Ceremony ceremony,
        String user,
        String subject,
        @Nullable Cause cause,
        List<Fact> facts,
        boolean kept) {
    public ExplainedCeremony {
        facts = List.copyOf(facts);
    }

    /** The same ceremony, with a cause about this user. */
    ExplainedCeremony of(String userId) {
        return new ExplainedCeremony(ceremony, userId, userId, cause, facts, kept);
    }

    /** The same ceremony of someone unknown, whose cause is about this user. */
    ExplainedCeremony about(String userId) {
        return new ExplainedCeremony(ceremony, "", userId, cause, facts, kept);
    }

    ExplainedCeremony with(Cause other) {
        return new ExplainedCeremony(ceremony, user, subject, other, facts, kept);
    }

    /** The same ceremony with more facts. */
    ExplainedCeremony with(List<Fact> more) {
        return withFacts(Stream.concat(facts.stream(), more.stream()).toList());
    }

    ExplainedCeremony with(Fact more) {
        return with(List.of(more));
    }

    ExplainedCeremony withFacts(List<Fact> others) {
        return new ExplainedCeremony(ceremony, user, subject, cause, others, kept);
    }

    /** The time of the event with this name; the last time there is if there is none. */
    long timeOf(String fact) {
        return facts.stream()
                .filter(each -> each.name().equals(fact))
                .mapToLong(Fact::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    boolean has(String fact) {
        return timeOf(fact) != Long.MAX_VALUE;
    }

    /** Whether the cause has this code. */
    boolean isDueTo(String code) {
        return cause != null && cause.code().equals(code);
    }

    /**
     * Writes the ceremony.
     *
     * @param language the language tag of the sentences about its cause
     */
    public void write(JsonWriter json, String language) {
        ceremony.write(json);
        json.text("user", user)
                .text("subject", subject)
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
