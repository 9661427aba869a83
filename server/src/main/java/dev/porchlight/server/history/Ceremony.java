// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.Step;
import dev.porchlight.server.history.CeremonyEvent.BrowserReport;
import dev.porchlight.server.history.CeremonyEvent.ServerOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one ceremony: its events on both sides, in the order they became known. Immutable.
 *
 * @param traceId 32 hex digits
 */
public record Ceremony(String traceId, List<CeremonyEvent> events) {
    /** So many are kept; beyond it those after the first make room, so that nobody can grow one without end. */
    private static final int MOST_EVENTS = 12;

    /** How far a ceremony came. */
    public enum State {
        /** Options were given out, or a browser reported something nobody knows of. */
        WAITING,
        /** It ended in the browser, or before there was anything to judge. */
        BROKEN_OFF,
        /** The server judged a response and refused it, or failed. */
        REFUSED,
        /** The server judged a response and took it. */
        PASSED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Ceremony {
        events = List.copyOf(events);
    }

    Ceremony with(CeremonyEvent event) {
        List<CeremonyEvent> more = new ArrayList<>(events);
        if (more.size() == MOST_EVENTS) {
            more.remove(1);
        }
        more.add(event);
        return new Ceremony(traceId, more);
    }

    public String supportCode() {
        return SupportCode.of(traceId);
    }

    public State state() {
        ServerOperation finish = finish();
        if (finish != null) {
            return finish.succeeded() ? State.PASSED : State.REFUSED;
        }
        boolean known = events.stream().anyMatch(ServerOperation.class::isInstance);
        boolean brokenOff = events.stream().anyMatch(event -> event instanceof BrowserReport || !event.succeeded());
        return known && brokenOff ? State.BROKEN_OFF : State.WAITING;
    }

    /** Why it did not go well, in words; null when it did, or is still under way. */
    public @Nullable Cause cause() {
        ServerOperation finish = finish();
        if (finish != null) {
            return cause(finish);
        }
        for (int i = events.size() - 1; i >= 0; i--) {
            CeremonyEvent event = events.get(i);
            if (event instanceof BrowserReport report) {
                return Cause.of(report.outcome());
            }
            if (event instanceof ServerOperation operation && !operation.succeeded()) {
                return cause(operation);
            }
        }
        return null;
    }

    private static @Nullable Cause cause(ServerOperation operation) {
        if (operation.succeeded()) {
            return null;
        }
        return Stream.of(Step.values())
                .filter(step -> step.code().equals(operation.reason()))
                .findFirst()
                .map(Cause::of)
                .orElseGet(() -> Cause.ofService(operation.reason().isEmpty() ? "failed" : operation.reason()));
    }

    /** When it was last heard of. */
    long at() {
        return events.get(events.size() - 1).at();
    }

    int weight() {
        return 200 + events.stream().mapToInt(CeremonyEvent::weight).sum();
    }

    boolean hasCorrelationId(String id) {
        return events.stream().anyMatch(event -> event.correlationId().equals(id));
    }

    public void write(JsonWriter json) {
        json.text("supportCode", supportCode())
                .text("traceId", traceId)
                .text("state", state().word())
                .text("ceremony", ceremony());
        Cause cause = cause();
        if (cause != null) {
            json.object("cause", cause::write);
        }
        json.objects("events", events, (event, from) -> from.write(event));
    }

    /** The latest response that was judged. */
    private @Nullable ServerOperation finish() {
        ServerOperation latest = null;
        for (CeremonyEvent event : events) {
            if (event instanceof ServerOperation operation
                    && operation.operation().finishes()) {
                latest = operation;
            }
        }
        return latest;
    }

    private String ceremony() {
        CeremonyEvent first = events.get(0);
        String act = first instanceof ServerOperation server
                ? server.operation().code()
                : ((BrowserReport) first).ceremony();
        return act.startsWith("registration") ? "registration" : "login";
    }
}
