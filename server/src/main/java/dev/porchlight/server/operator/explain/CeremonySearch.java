// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.passkey.store.SqlUsers.Overview;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.history.Capture;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.Ceremony;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.CeremonyHistory.SearchResult;
import dev.porchlight.server.history.Fact;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.UserDirectory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds ceremonies for operators: the one search behind the console, {@code GET /admin/ceremonies/CODE} and
 * {@code ./porchlight explain --code}. Adds what the database knows about the user of a failure, which no visitor learns.
 * Thread-safe.
 */
public final class CeremonySearch {
    private static final String CLOSEST_NAMES = "closest_names";
    private static final String PASSKEY_OWNER = "passkey_owner";
    private static final String REGISTERED_NAME = "registered_name";
    private static final String LINK_OF_LOCKED_USER = "enrollment_locked";
    private static final String DAMAGED_LINK = "enrollment_damaged";
    private static final String LINK_VALID_UNTIL = "enrollment_valid_until";
    private static final String LINK_EXPIRED = "enrollment_expired";
    private static final String LINK_USED = "enrollment_used";
    private static final int MAX_REMOVALS = 3;
    /** How long the removal of one of several passkeys explains a prompt that had none to offer. */
    private static final long RECENT_MS = Duration.ofDays(30).toMillis();

    /** Causes that the lock of a user can have. */
    private static final Set<String> OF_LOCKED_USERS =
            Set.of(Step.USER_UNLOCKED.code(), "access_ended", "sign_in_ended", LINK_OF_LOCKED_USER);

    /** Causes that a user name that does not exist can have. */
    private static final Set<String> OF_UNKNOWN_USERS = Set.of(
            "blocked",
            "dismissed",
            "timeout",
            "aborted",
            "authenticator",
            "unsupported",
            Step.CREDENTIAL_KNOWN.code(),
            Step.CREDENTIAL_OWNER.code());

    private final CeremonyHistory history;
    private final Sql sql;
    private final AuditStore audit;
    private final InstantSource clock;

    public CeremonySearch(CeremonyHistory history, Sql sql, InstantSource clock) {
        this.history = history;
        this.sql = sql;
        this.clock = clock;
        this.audit = new AuditStore(sql);
    }

    /**
     * The result of a search, newest first.
     *
     * @param complete false if the database is unavailable and only this instance's memory was searched
     */
    public record Result(List<ExplainedCeremony> ceremonies, boolean complete) {}

    /** The latest ceremonies of this instance in every state. Reads no names, which strangers could make expensive. */
    public Result latest() {
        return explain(new SearchResult(history.latest(), true), false);
    }

    /** The ceremonies with this support code (as typed), correlation id, trace id, user or client. */
    public Result find(String text) {
        return explain(history.find(text), true);
    }

    /** The ceremonies with this support code (as typed), correlation id or trace id. */
    public Result findById(String id) {
        return explain(history.findById(id), true);
    }

    private Result explain(SearchResult found, boolean names) {
        Set<String> kept = history.explainable(found.ceremonies());
        return new Result(
                found.ceremonies().stream()
                        .map(ceremony -> explain(ceremony, kept.contains(ceremony.traceId()), names))
                        .toList(),
                found.complete());
    }

    private ExplainedCeremony explain(Ceremony ceremony, boolean kept, boolean names) {
        List<Fact> facts = ceremony.facts().stream().map(this::now).toList();
        boolean expired = facts.stream().anyMatch(fact -> fact.name().equals(LINK_EXPIRED));
        Cause then = ceremony.cause();
        Cause cause = then != null && then.code().equals(DAMAGED_LINK) && expired ? Cause.ended(DAMAGED_LINK) : then;
        var known = new ExplainedCeremony(ceremony, ceremony.user(), cause, facts, kept);
        if (cause == null) {
            return known;
        }
        try {
            String holder = known.user().isEmpty() && kept ? holder(ceremony) : null;
            return withUser(holder == null ? known : with(known, holder, cause, List.of()), cause, names);
        } catch (StorageException e) {
            return known; // the search is incomplete anyway
        }
    }

    /** A link that was valid when it was refused may have expired since. Operators are shown by name. */
    private Fact now(Fact fact) {
        return fact.name().equals(LINK_VALID_UNTIL) && fact.at() <= clock.millis()
                ? Fact.event(LINK_EXPIRED, fact.at(), "")
                : new Fact(fact.name(), fact.at(), AuditSubjects.shownLabel(sql, fact.by()), fact.text());
    }

    private ExplainedCeremony withUser(ExplainedCeremony known, Cause cause, boolean names) {
        String code = cause.code();
        String user = known.user();
        if (OF_LOCKED_USERS.contains(code)) {
            return locked(known, cause);
        }
        if (code.equals(LINK_USED)) {
            return used(known, cause);
        }
        if (code.equals(BrowserOutcome.EXISTS.code()) && names) {
            return taken(known, cause);
        }
        boolean named = known.ceremony().ceremony().equals("login") && !user.isEmpty();
        boolean doubtful = named && OF_UNKNOWN_USERS.contains(code);
        if (doubtful && !UserDirectory.exists(sql, user)) {
            List<String> closest = names ? TakenNames.closest(sql, user) : List.of();
            return with(known, user, Cause.ofUser("unknown_user"), facts(CLOSEST_NAMES, String.join(", ", closest)));
        }
        if (code.equals(Step.CREDENTIAL_KNOWN.code())) {
            return known.kept() ? removed(known, cause) : known;
        }
        if (!doubtful || !names) {
            return known;
        }
        ExplainedCeremony explained = with(known, user, cause, facts(lock(known)));
        if (code.equals(Step.CREDENTIAL_OWNER.code())) {
            String owner = known.kept() ? holder(known.ceremony()) : null;
            return with(explained, user, cause, facts(PASSKEY_OWNER, owner == null ? "" : owner));
        }
        Overview now = SqlUsers.overviews(sql, List.of(user)).getOrDefault(user, Overview.NONE);
        return now.passkeys() > 0
                ? with(
                        explained,
                        user,
                        cause,
                        facts(removals(known, known.ceremony().at() - RECENT_MS)))
                : with(explained, user, Cause.ofUser("no_passkey"), facts(removals(known, 0)));
    }

    /** Names the spelling in which a name is registered, and says if its user was only invited. */
    private ExplainedCeremony taken(ExplainedCeremony known, Cause cause) {
        String holder = TakenNames.holder(sql, known.user());
        if (holder == null) {
            return known; // of a user who was erased, or the name of the sign-up is unknown
        }
        ExplainedCeremony explained =
                with(known, known.user(), cause, facts(REGISTERED_NAME, holder.equals(known.user()) ? "" : holder));
        Overview now = SqlUsers.overviews(sql, List.of(holder)).getOrDefault(holder, Overview.NONE);
        return now.passkeys() > 0
                ? explained
                : with(
                        explained,
                        known.user(),
                        Cause.ofUser("invited"),
                        facts(audit.ofUser(
                                holder,
                                List.of(AuditAction.ENROLLMENT_ISSUED),
                                known.ceremony().at(),
                                1)));
    }

    /** Shows the lock as the cause. A link that could not be used because of it keeps its own. */
    private ExplainedCeremony locked(ExplainedCeremony known, Cause cause) {
        List<AuditEntry> lock = lock(known);
        if (lock.isEmpty() || cause.code().equals(LINK_OF_LOCKED_USER)) {
            return with(known, known.user(), cause, facts(lock));
        }
        Cause shown = lock.size() == 1 ? Cause.of(Step.USER_UNLOCKED) : Cause.ended(Step.USER_UNLOCKED.code());
        return with(known, known.user(), shown, facts(lock));
    }

    /** Adds what happened after the use of a link: the user was locked, or a passkey, maybe the one of the link, was removed. */
    private ExplainedCeremony used(ExplainedCeremony known, Cause cause) {
        long usedAt = known.facts().stream()
                .filter(fact -> fact.name().equals(LINK_USED))
                .mapToLong(Fact::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        List<AuditEntry> lock = lock(known);
        List<AuditEntry> since =
                Stream.concat(lock.stream(), removals(known, usedAt).stream()).toList();
        boolean unlocked = since.size() == lock.size() && lock.size() != 1;
        return with(known, known.user(), unlocked ? cause : Cause.ended(LINK_USED), facts(since));
    }

    /** The lock of the user at the time of the failure, if any, and its end, if it has ended since. */
    private List<AuditEntry> lock(ExplainedCeremony known) {
        List<AuditEntry> then = lockChange(known, known.ceremony().at());
        if (then.isEmpty() || !is(then.get(0), AuditAction.USER_LOCKED)) {
            return List.of();
        }
        return Stream.concat(
                        then.stream(),
                        lockChange(known, clock.millis()).stream()
                                .filter(latest -> is(latest, AuditAction.USER_UNLOCKED)))
                .toList();
    }

    private List<AuditEntry> lockChange(ExplainedCeremony known, long until) {
        return audit.ofUser(known.user(), List.of(AuditAction.USER_LOCKED, AuditAction.USER_UNLOCKED), until, 1);
    }

    private static boolean is(AuditEntry entry, AuditAction action) {
        return entry.event().action().equals(action.code());
    }

    /** Names the user of a passkey that is not registered, and who removed the user's passkeys before. */
    private ExplainedCeremony removed(ExplainedCeremony known, Cause cause) {
        List<AuditEntry> removals = removals(known, 0);
        return with(known, known.user(), removals.isEmpty() ? cause : Cause.ofUser("passkey_removed"), facts(removals));
    }

    /** The latest removals of the user's passkeys before the failure, and not before a time. */
    private List<AuditEntry> removals(ExplainedCeremony known, long from) {
        return audit
                .ofUser(
                        known.user(),
                        List.of(AuditAction.PASSKEY_REMOVED),
                        known.ceremony().at(),
                        MAX_REMOVALS)
                .stream()
                .filter(removal -> removal.at() >= from)
                .toList();
    }

    /** The user whose passkey or handle is in the refused response, or null. */
    private @Nullable String holder(Ceremony ceremony) {
        List<Capture> captures = history.findResponses(ceremony.traceId());
        return captures.isEmpty() ? null : Capture.holder(sql, captures.get(0).response());
    }

    private static List<Fact> facts(String name, String text) {
        return text.isEmpty() ? List.of() : List.of(Fact.text(name, text));
    }

    private static List<Fact> facts(List<AuditEntry> entries) {
        return entries.stream()
                .map(entry -> Fact.event(
                        entry.event().action(), entry.at(), entry.event().operator()))
                .toList();
    }

    private static ExplainedCeremony with(ExplainedCeremony known, String user, Cause cause, List<Fact> more) {
        List<Fact> facts = new ArrayList<>(known.facts());
        facts.addAll(more);
        return new ExplainedCeremony(known.ceremony(), user, cause, facts, known.kept());
    }
}
