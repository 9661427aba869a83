// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Enrollments.Issued;
import dev.porchlight.server.auth.RecoveryCodes.Entry;
import dev.porchlight.server.auth.RecoveryCodes.State;
import dev.porchlight.server.mail.Notice;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.ReportedEvents;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What lets a user register a passkey on a device where they are not signed in: links of a signed-in user, and recovery codes.
 * Each yields an enrollment token. Thread-safe.
 */
public final class Recovery {
    /** How long a code can be used after its recovery has waited. */
    private static final Duration USABLE = Duration.ofDays(7);
    /** How long links and codes that one session creates are only counted after an audit row. */
    private static final Duration COUNTED = Duration.ofMinutes(5);

    private final Units units;
    private final Sql sql;
    private final Enrollments enrollments;
    private final RecoveryCodes codes;
    private final Notices notices;
    private final Duration delay;
    private final int maxPasskeys;
    private final InstantSource clock;

    /** Recoveries wait for {@code delay}. Users with {@code maxPasskeys} cannot use a code. */
    public Recovery(
            Units units,
            Sql sql,
            Enrollments enrollments,
            RecoveryCodes codes,
            Notices notices,
            Duration delay,
            int maxPasskeys,
            InstantSource clock) {
        this.units = units;
        this.sql = sql;
        this.enrollments = enrollments;
        this.codes = codes;
        this.notices = notices;
        this.delay = delay;
        this.maxPasskeys = maxPasskeys;
        this.clock = clock;
    }

    /** Why a recovery is refused, for operators. A visitor learns only that it is. */
    public enum Fault {
        UNKNOWN_USER,
        NO_CODES,
        WRONG_CODE,
        /** It has too few or too many characters. */
        INCOMPLETE,
        CODE_USED,
        LOCKED,
        ROLE,
        /** The user cannot add a passkey, so the code stays valid. */
        FULL;

        /** The code in the audit log and in the console. */
        public String code() {
            return this == FULL ? Step.CREDENTIAL_LIMIT.code() : "recovery_" + name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The result of an attempt: a token, the time until which the recovery waits, or a fault.
     *
     * @param validFrom in milliseconds since 1970; 0 if it does not wait
     * @param started whether the recovery waits since this attempt
     * @param found what is wrong with the code, if a fault needs it; else empty
     */
    public record Attempt(
            @Nullable Issued token,
            long validFrom,
            boolean started,
            @Nullable Fault fault,
            String found) {
        private static Attempt refused(Fault fault) {
            return refused(fault, "");
        }

        private static Attempt refused(Fault fault, String found) {
            return new Attempt(null, 0, false, fault, found);
        }

        private static Attempt allowed(@Nullable Issued token, long validFrom, boolean started) {
            return new Attempt(token, validFrom, started, null, "");
        }

        private @Nullable AuditEvent event(String userId, String correlationId) {
            if (fault != null) {
                return AuditEvent.refused(AuditAction.RECOVERY_CODE_USED, userId, fault.code(), correlationId);
            }
            AuditAction action = started ? AuditAction.RECOVERY_STARTED : AuditAction.RECOVERY_CODE_USED;
            return started || token != null ? AuditEvent.of(action, userId, correlationId) : null;
        }
    }

    /** Creates a link for another device of the caller. */
    public Issued addDevice(Caller caller) {
        Issued issued = byCaller(
                        AuditAction.DEVICE_LINK_ISSUED,
                        caller,
                        connection -> Optional.of(enrollments.forDevice(connection, caller.grant())))
                .orElseThrow();
        enrollments.kept(issued);
        return issued;
    }

    /** Replaces the codes of the caller; empty if they have got a role. */
    public Optional<List<String>> createCodes(Caller caller) {
        String userId = caller.userId();
        AuditAction action = AuditAction.RECOVERY_CODES_CREATED;
        return byCaller(action, caller, connection -> {
            if (OperatorRoles.of(connection, userId) != null) {
                return Optional.empty();
            }
            var unused = end(connection, enrollments, userId, action, "");
            return Optional.of(codes.replace(connection, userId, clock.millis()));
        });
    }

    private record Made<T>(Optional<T> value, OptionalLong unaudited) {}

    /** A signed-in user in a loop must not fill the audit log. */
    private <T> Optional<T> byCaller(AuditAction action, Caller caller, Sql.Work<Optional<T>> work) {
        Instant now = clock.instant();
        String by = action.code() + ' ' + caller.grant().credentialId();
        Made<T> made = units.commit(
                action.code(),
                caller,
                Target.NONE,
                connection -> {
                    Optional<T> value = work.with(connection);
                    return new Made<>(
                            value,
                            value.isEmpty()
                                    ? OptionalLong.empty()
                                    : ReportedEvents.count(connection, by, now, now.minus(COUNTED), 1));
                },
                result -> result.unaudited().isEmpty()
                        ? null
                        : AuditEvent.of(action, caller.userId())
                                .withFurther(result.unaudited().getAsLong()));
        return made.value();
    }

    /**
     * Uses a code, as it was typed. Without a stored code nothing is written, and the same statements are executed for all users.
     */
    public Attempt attempt(String userId, String code, String correlationId) {
        String hash = codes.hash(userId, code);
        boolean known = SqlUsers.isKnown(sql, userId);
        State state = state(userId);
        if (RecoveryCodes.find(sql, hash) == null) {
            return unknown(code, known, state);
        }
        Attempt attempt = units.commit(
                "use a recovery code",
                connection -> use(connection, userId, hash),
                result -> result.event(userId, correlationId));
        if (attempt.token() != null) {
            enrollments.kept(attempt.token());
        }
        return attempt;
    }

    private static Attempt unknown(String code, boolean known, State state) {
        if (!known || state.createdAt() == null) {
            return Attempt.refused(known ? Fault.NO_CODES : Fault.UNKNOWN_USER);
        }
        int length = RecoveryCodes.length(code);
        return length == RecoveryCodes.CHARS
                ? Attempt.refused(Fault.WRONG_CODE)
                : Attempt.refused(Fault.INCOMPLETE, "length " + length + " instead of " + RecoveryCodes.CHARS);
    }

    private Attempt use(Connection connection, String userId, String hash) throws SQLException {
        if (!SqlUsers.lock(connection, userId)) {
            TakenNames.forget(connection, userId);
            return Attempt.refused(Fault.UNKNOWN_USER);
        }
        Entry code = RecoveryCodes.find(connection, hash);
        if (code == null) {
            return Attempt.refused(Fault.WRONG_CODE); // replaced in the meantime
        }
        if (UserAccess.read(connection, userId).locked()) {
            return Attempt.refused(Fault.LOCKED);
        }
        if (OperatorRoles.of(connection, userId) != null) {
            return Attempt.refused(Fault.ROLE);
        }
        Long usedAt = code.usedAt();
        if (usedAt != null) {
            return Attempt.refused(Fault.CODE_USED, "used at " + Instant.ofEpochMilli(usedAt));
        }
        if (SqlUsers.passkeys(connection, userId).size() >= maxPasskeys) {
            return Attempt.refused(Fault.FULL);
        }
        long now = clock.millis();
        boolean starts = code.startedAt() == null || code.startedAt() <= oldest();
        long validFrom = (starts ? now : Objects.requireNonNull(code.startedAt())) + delay.toMillis();
        if (starts) {
            RecoveryCodes.start(connection, hash, now);
            notices.add(connection, Notice.RECOVERY_STARTED, userId);
        }
        if (now < validFrom) {
            return Attempt.allowed(null, validFrom, starts);
        }
        if (!RecoveryCodes.use(connection, hash, now)) {
            return Attempt.refused(Fault.CODE_USED);
        }
        return Attempt.allowed(enrollments.forRecovery(connection, userId), 0, false);
    }

    /** Recoveries that started until then have waited, and were not continued. */
    private long oldest() {
        return clock.millis() - delay.plus(USABLE).toMillis();
    }

    /** The codes of a user. */
    public State state(String userId) {
        return RecoveryCodes.of(sql, userId, oldest());
    }

    /** When the code of a recovery that waits can be used. */
    public long validFrom(long startedAt) {
        return startedAt + delay.toMillis();
    }

    /** Whether the user may have codes. With one, a passkey would have the user's role without another person's approval. */
    public boolean isAllowed(String userId) {
        return new OperatorRoles(sql).of(userId) == null;
    }

    /**
     * Cancels a recovery that waits, and removes all codes: another person may have them.
     *
     * @return false if no recovery waits
     */
    public boolean cancel(Caller caller) {
        String userId = caller.userId();
        AuditAction action = AuditAction.RECOVERY_CANCELED;
        return units.commit(
                "cancel a recovery",
                caller,
                Target.NONE,
                connection -> RecoveryCodes.of(connection, userId, oldest()).startedAt() != null
                        && end(connection, enrollments, userId, action, ""),
                done -> done ? AuditEvent.of(action, userId) : null);
    }

    /** Removes the codes of a user, ends the tokens that they yielded, and returns whether there were codes. */
    static boolean end(Connection connection, Enrollments enrollments, String userId, AuditAction why, String operator)
            throws SQLException {
        enrollments.end(connection, userId, EnrollmentRecord::recovery, why, operator);
        return RecoveryCodes.remove(connection, userId);
    }
}
