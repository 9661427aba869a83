// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.passkey.store.SqlUsers.Overview;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.auth.Recovery.Fault;
import dev.porchlight.server.auth.RecoveryCodes;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.history.Capture;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.Ceremony;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.Fact;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.UserDirectory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Causes that only the database knows: what was true of the user when an attempt failed. Thread-safe. */
final class UserFailures {
    private static final String CLOSEST_NAMES = "closest_names";
    private static final String PASSKEY_OWNER = "passkey_owner";
    private static final String REGISTERED_NAME = "registered_name";
    private static final String TYPED_NAME = "typed_name";
    private static final String NO_PASSKEY = "no_passkey";
    private static final String UNKNOWN_USER = "unknown_user";
    private static final String LINK_OF_LOCKED_USER = "enrollment_locked";
    private static final String LINK_USED = "enrollment_used";
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
            BrowserOutcome.WAITING.code(),
            Step.CREDENTIAL_KNOWN.code(),
            Step.CREDENTIAL_OWNER.code());

    private final CeremonyHistory history;
    private final Sql sql;
    private final UserEvents events;
    private final ErasedUsers erased;
    private final Function<String, List<CredentialRecord>> passkeys;
    private final InstantSource clock;

    UserFailures(
            CeremonyHistory history,
            Sql sql,
            ErasedUsers erased,
            Function<String, List<CredentialRecord>> passkeys,
            InstantSource clock) {
        this.history = history;
        this.sql = sql;
        this.events = new UserEvents(sql, clock);
        this.erased = erased;
        this.passkeys = passkeys;
        this.clock = clock;
    }

    /** Adds what the database knows; {@code names} is whether to read names, which strangers could make expensive. */
    ExplainedCeremony explain(ExplainedCeremony explained, Cause cause, boolean names) {
        String code = cause.code();
        boolean taken = code.equals(BrowserOutcome.EXISTS.code());
        boolean typed = taken || code.equals(BrowserOutcome.CLOSED.code());
        ExplainedCeremony known = identified(typed ? anonymous(explained) : explained);
        String user = known.user();
        if (known.ceremony().userErasedAt() != null) {
            return Objects.requireNonNull(erased(known));
        }
        if (OF_LOCKED_USERS.contains(code)) {
            return locked(known, cause);
        }
        if (code.equals(LINK_USED)) {
            return used(known);
        }
        if (known.ceremony().ceremony().equals("recovery")) {
            boolean unknown = code.equals(Fault.UNKNOWN_USER.code());
            return known.with(unknown ? closest(known, names) : names ? codesLeft(known) : List.of());
        }
        if (taken) {
            return names ? taken(known) : known;
        }
        boolean named = known.ceremony().ceremony().equals("login") && !user.isEmpty();
        boolean doubtful = named && OF_UNKNOWN_USERS.contains(code);
        if (doubtful && !UserDirectory.exists(sql, user)) {
            return unknown(known, names);
        }
        if (code.equals(Step.CREDENTIAL_KNOWN.code())) {
            return known.kept() ? removed(known) : known;
        }
        if (!doubtful || !names) {
            return known;
        }
        if (code.equals(Step.CREDENTIAL_OWNER.code())) {
            String owner = known.kept() ? holder(known.ceremony()) : null;
            return known.with(events.lock(known))
                    .with(owner == null ? List.of() : List.of(Fact.text(PASSKEY_OWNER, owner)));
        }
        return withoutPasskey(known.with(events.lock(known)));
    }

    /** Names the user of a response, and none who was erased before. */
    private ExplainedCeremony identified(ExplainedCeremony known) {
        if (known.ceremony().userErasedAt() != null) {
            return known.about("");
        }
        String holder = known.user().isEmpty() && known.kept() ? holder(known.ceremony()) : null;
        return holder == null ? known : known.of(holder);
    }

    /** A name that was typed for a new account says nothing about the person, who does not have it. */
    private static ExplainedCeremony anonymous(ExplainedCeremony known) {
        return known.user().isEmpty() || known.ceremony().userErasedAt() != null
                ? known.about("")
                : known.about(known.user()).with(Fact.text(TYPED_NAME, known.user()));
    }

    private ExplainedCeremony unknown(ExplainedCeremony known, boolean names) {
        ExplainedCeremony gone = erased(known);
        if (gone != null) {
            return gone;
        }
        return known.with(Cause.ofUser(UNKNOWN_USER)).with(closest(known, names));
    }

    private List<Fact> codesLeft(ExplainedCeremony known) {
        RecoveryCodes.State codes = RecoveryCodes.of(sql, known.user(), clock.millis());
        return codes.createdAt() == null
                ? List.of()
                : List.of(Fact.text("recovery_codes_left", Integer.toString(codes.remaining())));
    }

    private List<Fact> closest(ExplainedCeremony known, boolean names) {
        List<String> closest = names ? TakenNames.closest(sql, known.user()) : List.of();
        return closest.isEmpty() ? List.of() : List.of(Fact.text(CLOSEST_NAMES, String.join(", ", closest)));
    }

    /** Says that the name is of a user who was erased before; null if it is not. */
    private @Nullable ExplainedCeremony erased(ExplainedCeremony known) {
        Long stored = known.ceremony().userErasedAt();
        String name = known.ceremony().user();
        Long erasedAt = stored != null || name.isEmpty() ? stored : erased.time(sql, erased.hash(name));
        return erasedAt == null
                ? null
                : known.about("").with(Cause.ofUser("erased")).with(Fact.event("user_erased", erasedAt, ""));
    }

    /** A prompt without a passkey to offer: the user or their first passkey may be newer than the attempt. */
    private ExplainedCeremony withoutPasskey(ExplainedCeremony known) {
        long at = known.ceremony().at();
        List<CredentialRecord> now = passkeys.apply(known.user());
        boolean hadOne =
                now.stream().anyMatch(passkey -> isAtMost(passkey.details().createdAt(), at))
                        || !events.after(AuditAction.PASSKEY_REMOVED, known).isEmpty();
        if (hadOne) {
            return known.with(events.removals(known, at - RECENT_MS));
        }
        List<Fact> created = Stream.of(AuditAction.ENROLLMENT_ISSUED, AuditAction.REGISTRATION)
                .flatMap(action -> events.after(action, known).stream())
                .toList();
        if (!created.isEmpty() && !events.existed(known)) {
            return known.with(Cause.ended(UNKNOWN_USER)).with(created);
        }
        Cause cause = now.isEmpty() ? Cause.ofUser(NO_PASSKEY) : Cause.ended(NO_PASSKEY);
        return known.with(cause).with(events.removals(known, 0));
    }

    private static boolean isAtMost(@Nullable Instant time, long at) {
        return time == null || time.toEpochMilli() <= at;
    }

    /** Names the spelling in which a name is registered, and says if its user was only invited. */
    private ExplainedCeremony taken(ExplainedCeremony known) {
        String typed = known.subject();
        String holder = typed.isEmpty() ? null : TakenNames.holder(sql, typed);
        if (holder == null) {
            ExplainedCeremony gone = erased(known);
            return gone == null ? known : gone; // the name of the sign-up may be unknown
        }
        ExplainedCeremony explained =
                holder.equals(typed) ? known : known.about(holder).with(Fact.text(REGISTERED_NAME, holder));
        Overview now = SqlUsers.overviews(sql, List.of(holder)).getOrDefault(holder, Overview.NONE);
        if (now.passkeys() > 0) {
            return explained.with(events.lock(explained));
        }
        return explained
                .with(Cause.ofUser("invited"))
                .with(events.latest(holder, known.ceremony().at(), List.of(AuditAction.ENROLLMENT_ISSUED)));
    }

    /** Shows the lock as the cause. A link that could not be used because of it keeps its own. */
    private ExplainedCeremony locked(ExplainedCeremony known, Cause cause) {
        List<Fact> lock = events.lock(known);
        ExplainedCeremony explained = known.with(lock);
        if (lock.isEmpty() || cause.code().equals(LINK_OF_LOCKED_USER)) {
            return explained;
        }
        return explained.with(lock.size() == 1 ? Cause.of(Step.USER_UNLOCKED) : Cause.ended(Step.USER_UNLOCKED.code()));
    }

    /** Adds what happened after the use of a link: the user was locked, or a passkey, maybe the one of the link, was removed. */
    private ExplainedCeremony used(ExplainedCeremony known) {
        List<Fact> lock = events.lock(known);
        List<Fact> since = Stream.concat(lock.stream(), events.removals(known, known.timeOf(LINK_USED)).stream())
                .toList();
        boolean unlocked = since.size() == lock.size() && lock.size() != 1;
        ExplainedCeremony explained = known.with(since);
        return unlocked ? explained : explained.with(Cause.ended(LINK_USED));
    }

    /** Names the user of a passkey that is not registered, and who removed the user's passkeys before. */
    private ExplainedCeremony removed(ExplainedCeremony known) {
        List<Fact> removals = events.removals(known, 0);
        return removals.isEmpty()
                ? known
                : known.with(Cause.ofUser("passkey_removed")).with(removals);
    }

    /** The user whose passkey or handle is in the refused response, or null. */
    private @Nullable String holder(Ceremony ceremony) {
        List<Capture> captures = history.findResponses(ceremony.traceId());
        return captures.isEmpty() ? null : Capture.holder(sql, captures.get(0).response());
    }
}
