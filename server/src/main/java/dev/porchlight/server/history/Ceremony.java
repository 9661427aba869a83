// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.SupportCode;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.history.CeremonyEvent.EnrollmentRefusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events of one ceremony, in the server and the browser, in order of arrival. Immutable.
 *
 * @param traceId 32 hex digits
 */
public record Ceremony(String traceId, List<CeremonyEvent> events) {
    /** Begins what stands for the name of a user who was erased before; the time follows. No user id begins with it. */
    private static final String ERASED = "porchlight:erased:";

    /** Bounds the memory of one ceremony: beyond this, the events after the first are dropped. */
    private static final int MAX_EVENTS = 12;

    /** The state of a ceremony. */
    public enum State {
        /** Options were issued, and the browser may still be waiting, or only an unverified report of it exists. */
        PENDING,
        /** The ceremony ended before the server received a response. */
        ABANDONED,
        /** The server refused the response or an earlier request, or failed. */
        REFUSED,
        /** The server accepted the response. */
        SUCCEEDED;

        /** The code in the console's API. */
        String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Ceremony {
        events = List.copyOf(events);
    }

    Ceremony with(CeremonyEvent event) {
        List<CeremonyEvent> more = new ArrayList<>(events);
        if (more.size() == MAX_EVENTS) {
            more.remove(1);
        }
        more.add(event);
        return new Ceremony(traceId, more);
    }

    /** The same ceremony with the events of both, without duplicates, in order of time. */
    Ceremony mergedWith(Ceremony other) {
        return new Ceremony(
                traceId,
                Stream.concat(events.stream(), other.events.stream())
                        .distinct()
                        .sorted(Comparator.comparingLong(
                                event -> event.request().at()))
                        .toList());
    }

    /** The same ceremony without the name of a user who was erased before it, at this time in milliseconds since 1970. */
    Ceremony ofErasedUser(long erasedAt) {
        return new Ceremony(
                traceId,
                events.stream()
                        .map(event -> event.user().isEmpty() ? event : event.withUser(ERASED + erasedAt))
                        .toList());
    }

    /** When the user was erased whose name was given; null if that is not known. */
    public @Nullable Long userErasedAt() {
        return user().startsWith(ERASED) ? Long.valueOf(user().substring(ERASED.length())) : null;
    }

    public String supportCode() {
        return SupportCode.of(traceId);
    }

    public State state() {
        if (clientRefusal() != null || enrollmentRefusal() != null) {
            return State.REFUSED;
        }
        ServerOperation decision = decision();
        if (decision != null) {
            return decision.succeeded() ? State.SUCCEEDED : State.REFUSED;
        }
        boolean known = false;
        boolean abandoned = false;
        for (CeremonyEvent event : events) {
            if (event instanceof BrowserReport report) {
                known |= report.verified() && !report.succeeded();
                abandoned |= report.outcome() != BrowserOutcome.WAITING;
            } else {
                known |= event instanceof ServerOperation;
                abandoned |= !event.succeeded();
            }
        }
        return known && abandoned ? State.ABANDONED : State.PENDING;
    }

    /** The cause of the failure; null if the ceremony succeeded or is pending. */
    public @Nullable Cause cause() {
        return state() == State.SUCCEEDED ? null : failure().cause();
    }

    /** Whether it succeeded after the browser had reported that it was waiting. */
    boolean succeededLate() {
        return isReport(failure(), BrowserOutcome.WAITING) && state() == State.SUCCEEDED;
    }

    /** The time of the last event. */
    public long at() {
        return events.get(events.size() - 1).request().at();
    }

    int weight() {
        int weight = 200;
        for (CeremonyEvent event : events) {
            weight += event.weight();
        }
        return weight;
    }

    /** Matches ceremonies with this support code (as typed), correlation id or trace id. */
    static Predicate<Ceremony> identifiedBy(String text) {
        String id = text.strip();
        String code = SupportCode.read(id);
        String traceId = id.toLowerCase(Locale.ROOT);
        return ceremony -> ceremony.supportCode().equals(code)
                || ceremony.traceId.equals(traceId)
                || ceremony.events.stream()
                        .anyMatch(event -> event.request().correlationId().equals(id));
    }

    /** Whether an event has a user whose id matches. The id is empty if a passkey was presented and its user is unknown. */
    boolean hasUser(Predicate<String> users) {
        return events.stream()
                .anyMatch(event -> (!event.user().isEmpty() || hasPasskey(event)) && users.test(event.user()));
    }

    /** The user of the failure or else of the latest event that has one, or empty. */
    public String user() {
        return Stream.concat(events.stream(), Stream.of(failure()))
                .map(CeremonyEvent::user)
                .filter(user -> !user.isEmpty())
                .reduce("", (earlier, later) -> later);
    }

    private static boolean hasPasskey(CeremonyEvent event) {
        return event instanceof ServerOperation operation
                && !operation.credential().isEmpty();
    }

    /**
     * The event that explains the failure: the latest failure in the server, or else in the browser, or else the last event. A
     * prompt that did not respond explains why the user then canceled.
     */
    public CeremonyEvent failure() {
        CeremonyEvent latest = events.get(events.size() - 1);
        boolean server = false;
        for (CeremonyEvent event : events) {
            boolean inServer = !(event instanceof BrowserReport);
            boolean canceled = isReport(event, BrowserOutcome.ABORTED) && isReport(latest, BrowserOutcome.WAITING);
            if (!event.succeeded() && (inServer || !server) && !canceled) {
                latest = event;
                server = inServer;
            }
        }
        return latest;
    }

    private static boolean isReport(CeremonyEvent event, BrowserOutcome outcome) {
        return event instanceof BrowserReport report && report.outcome() == outcome;
    }

    /** The operation whose refused response was kept, or null. */
    @Nullable
    ServerOperation kept() {
        return latest(ServerOperation::kept);
    }

    /** The OpenID Connect client of the request that was refused, or empty. */
    String client() {
        ClientRefusal refusal = clientRefusal();
        return refusal == null ? "" : refusal.client();
    }

    /** What the failure itself says beside its cause. */
    public List<Fact> facts() {
        EnrollmentRefusal refusal = enrollmentRefusal();
        return refusal == null ? List.of() : refusal.facts();
    }

    /** The refused request of an OpenID Connect client, or null. */
    public @Nullable ClientRefusal clientRefusal() {
        return latest(ClientRefusal.class);
    }

    private @Nullable EnrollmentRefusal enrollmentRefusal() {
        return latest(EnrollmentRefusal.class);
    }

    private <E> @Nullable E latest(Class<E> type) {
        for (int i = events.size() - 1; i >= 0; i--) {
            if (type.isInstance(events.get(i))) {
                return type.cast(events.get(i));
            }
        }
        return null;
    }

    /** Writes the ceremony without its cause. */
    public void write(JsonWriter json) {
        json.text("supportCode", supportCode())
                .text("traceId", traceId)
                .text("state", shownState().code())
                .text("ceremony", ceremony())
                .number("at", at())
                .objects("events", events, (event, from) -> from.write(event));
    }

    /** A page at a wrong address starts no ceremony, so nothing is pending. Its report is stored among the unverified ones anyway. */
    private State shownState() {
        State state = state();
        return state == State.PENDING && failure() instanceof BrowserReport report && report.isAtWrongAddress()
                ? State.ABANDONED
                : state;
    }

    /** The latest verification of a response, or refusal before there was one. */
    private @Nullable ServerOperation decision() {
        return latest(operation ->
                operation.operation().finishes() || operation.outcome().equals(ServerOperation.REFUSED));
    }

    private @Nullable ServerOperation latest(Predicate<ServerOperation> filter) {
        ServerOperation latest = null;
        for (CeremonyEvent event : events) {
            if (event instanceof ServerOperation operation && filter.test(operation)) {
                latest = operation;
            }
        }
        return latest;
    }

    /** {@code login}, {@code registration}, {@code account}, {@code enrollment}, {@code recovery} or {@code openid}. */
    public String ceremony() {
        if (clientRefusal() != null) {
            return "openid";
        }
        if (enrollmentRefusal() != null) {
            return "enrollment";
        }
        if (latest(ServerOperation::isRecovery) != null) {
            return "recovery";
        }
        CeremonyEvent first = events.get(0);
        return first instanceof ServerOperation server
                ? server.operation().code().startsWith("registration") ? "registration" : "login"
                : ((BrowserReport) first).ceremony();
    }
}
