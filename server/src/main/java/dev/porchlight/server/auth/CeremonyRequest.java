// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.CeremonyCommit;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsedChallenges;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.auth.Sessions.Opened;
import dev.porchlight.server.mail.Notice;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.CeremonyUnit;
import dev.porchlight.server.storage.CeremonyUnit.Login;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.UserAccess;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Commits the result of one request's ceremony, with its session and audit row. Not thread-safe. */
public final class CeremonyRequest implements CeremonyCommit {
    /** The reason in the audit row and the metrics of a registration that also signed the user in. */
    public static final String SIGNED_IN = "signed_in";

    private final Ceremonies all;
    private final String correlationId;
    private final Browser browser;
    private final @Nullable Caller caller;
    private final @Nullable Enrollment enrollment;
    private @Nullable SignIn signIn;
    private @Nullable Opened opened;
    /** The key of the session that the opened one replaces, found before it ends; or null. */
    private @Nullable String formerKey;

    private long generation;

    CeremonyRequest(Ceremonies all, String correlationId, Browser browser, @Nullable Registrant registrant) {
        this.all = all;
        this.correlationId = correlationId;
        this.browser = browser;
        this.caller = registrant == null ? null : registrant.caller();
        this.enrollment = registrant == null ? null : registrant.enrollment();
    }

    /** The committed sign-in, or null if the ceremony did not sign the user in. */
    public @Nullable SignIn signIn() {
        return signIn;
    }

    /** The session that was opened, or null if none was. */
    public @Nullable Opened opened() {
        return opened;
    }

    /** The generation of the user's access at the sign-in, which a token carries. */
    public long generation() {
        return generation;
    }

    @Override
    public Result commit(Authentication unit) {
        SignIn login = SignIn.of(unit.assertion(), all.authenticators());
        Opened session = prepare(login);
        return done(login, session, write(unit, session));
    }

    private Result done(SignIn candidate, @Nullable Opened session, Result result) {
        if (isDone(result)) {
            signIn = candidate;
            opened = session;
            if (session != null) {
                all.sessions().kept(session);
            }
            notifyReplaced();
        }
        return result;
    }

    /** Notifies of the session that this one replaces, before and after the transaction. */
    private void notifyReplaced() {
        if (formerKey != null) {
            all.sessions().ending(formerKey);
        }
    }

    private @Nullable Opened prepare(SignIn signIn) {
        if (!all.opensSessions()) {
            return null;
        }
        Opened session = all.sessions().prepare(signIn, browser);
        String former = browser.formerSession();
        formerKey = former == null ? null : all.sessions().keyOf(former);
        notifyReplaced();
        return session;
    }

    private static boolean isDone(Result result) {
        return result == Result.DONE || result == Result.DONE_WITH_STALE_COUNT;
    }

    private Result write(Authentication unit, @Nullable Opened session) {
        var login = new Login(
                unit.assertion().credential().credentialId(),
                unit.assertion().userId(),
                unit.use(),
                unit.assertion().signCountGrew(),
                unit.refuseStaleCount(),
                session == null ? null : session.entry(),
                formerKey,
                current -> generation = current);
        String userId = unit.assertion().userId();
        return all.units()
                .commit(
                        "finish a login",
                        new CeremonyUnit(
                                unit.challenge(),
                                login,
                                result -> isDone(result)
                                                && unit.assertion().suspicion().isPresent()
                                        ? suspected(event(Operation.FINISH_AUTHENTICATION, userId, result))
                                        : event(Operation.FINISH_AUTHENTICATION, userId, result)));
    }

    /** The sign count may be flagged too. */
    private static AuditEvent suspected(AuditEvent event) {
        String code = Step.AUTHENTICATOR_ALLOWED.code();
        return event.withReason(event.reason().isEmpty() ? code : event.reason() + ' ' + code);
    }

    /** A registration with an enrollment also signs in, so the user must be present. */
    @Override
    public boolean acceptsUnprompted() {
        return enrollment == null;
    }

    @Override
    public Result commit(Registration unit) {
        if (enrollment == null) {
            return write(unit, null);
        }
        SignIn first = SignIn.of(unit, all.authenticators());
        Opened session = prepare(first);
        return done(first, session, write(unit, session));
    }

    private Result write(Registration unit, @Nullable Opened session) {
        String userId = unit.credential().userId();
        UsedChallenge challenge = unit.challenge();
        return all.units()
                .commit(
                        "finish a registration",
                        connection -> {
                            if (challenge != null
                                    && !SqlUsedChallenges.use(connection, challenge.id(), challenge.expiresAt())) {
                                return Result.CHALLENGE_USED;
                            }
                            if (caller != null && caller.check(connection, Target.NONE) != null) {
                                return Result.PASSKEY_GONE;
                            }
                            Result result =
                                    enrollment == null ? add(connection, unit) : enroll(connection, unit, enrollment);
                            if (result == Result.DONE) {
                                storeUser(connection, unit.user());
                                if (session != null) {
                                    long now = session.session().authTime();
                                    CeremonyUnit.writeSession(connection, session.entry(), formerKey, now);
                                }
                                PasskeySource.add(connection, unit.credential().credentialId(), browser.userAgent());
                                boolean recovered = enrollment != null
                                        && enrollment.content().recovery();
                                Notice notice = recovered ? Notice.RECOVERED : Notice.PASSKEY_ADDED;
                                all.notices().add(connection, notice, userId);
                            } else if (enrollment != null) {
                                TakenNames.forget(
                                        connection, userId); // the row that serves as a lock would take the name
                            }
                            return result;
                        },
                        result -> result == Result.DONE && enrollment != null
                                ? done(Operation.FINISH_REGISTRATION, userId).withReason(SIGNED_IN)
                                : event(Operation.FINISH_REGISTRATION, userId, result));
    }

    /** The check of the caller has locked the user. */
    private static Result add(Connection connection, Registration unit) throws SQLException {
        return Result.of(SqlCredentialStore.add(connection, unit.credential(), unit.limit()));
    }

    /**
     * Adds a passkey with an enrollment token, which is used up in the same transaction, so a commit whose result is unknown
     * does not leave it valid. The lock of the user comes first: of several requests with one token, one finds it unused, and
     * the others write no passkey. Only one sign-up can take a name, in whatever spelling.
     */
    private Result enroll(Connection connection, Registration unit, Enrollment enrollment) throws SQLException {
        String userId = enrollment.userId();
        if (enrollment.firstOnly() && SqlUsers.isKnown(connection, userId)) {
            return Result.TOO_MANY_PASSKEYS;
        }
        SqlCredentialStore.lock(connection, userId);
        UserAccess user = UserAccess.read(connection, userId);
        if (user.locked()) {
            return Result.USER_LOCKED;
        }
        generation = user.generation();
        if (!enrollment.isUnused(connection) || all.names().isErased(connection, userId)) {
            return Result.PASSKEY_GONE;
        }
        boolean taken = all.names().take(connection, userId);
        if (enrollment.firstOnly() && !taken) {
            return Result.TOO_MANY_PASSKEYS;
        }
        CredentialRecord passkey = unit.credential();
        CredentialRecord.Details details = passkey.details();
        // The registration is also the first sign-in with the passkey.
        CredentialRecord used = passkey.withDetails(
                new CredentialRecord.Details(details.name(), details.createdAt(), details.createdAt()));
        Result added = Result.of(SqlCredentialStore.add(connection, used, unit.limit()));
        if (added == Result.DONE) {
            enrollment.use(connection);
            if (!enrollment.profile().isEmpty()) {
                Profiles.save(connection, userId, enrollment.profile());
                all.notices().addressGiven(connection, userId);
            }
        } else if (taken) {
            TakenNames.release(connection, userId);
        }
        return added;
    }

    /** Stores the display name of a sign-up only now that its passkey is registered. */
    private void storeUser(Connection connection, @Nullable UserRecord user) throws SQLException {
        if (user != null) {
            String displayName = enrollment == null ? null : enrollment.displayName();
            SqlCredentialStore.enroll(
                    connection, new UserRecord(user.userId(), user.userHandle(), user.name(), displayName));
        }
    }

    @Override
    public Result commit(Refusal unit) {
        return all.units().commit("refuse a response", new CeremonyUnit(unit.challenge(), null, written -> {
            Step refused = written == Result.DONE ? unit.step() : Step.CHALLENGE_KNOWN;
            return refused(unit.operation(), unit.userId(), refused);
        }));
    }

    private AuditEvent event(Operation operation, String userId, Result result) {
        return switch (result) {
            case DONE -> done(operation, userId);
            case DONE_WITH_STALE_COUNT -> done(operation, userId).withReason(Step.SIGN_COUNT.code());
            case CHALLENGE_USED -> refused(operation, userId, Step.CHALLENGE_KNOWN);
            case STALE_COUNT -> refused(operation, userId, Step.SIGN_COUNT);
            case PASSKEY_GONE -> refused(operation, userId, Step.CREDENTIAL_KNOWN);
            case USER_LOCKED -> refused(operation, userId, Step.USER_UNLOCKED);
            case PASSKEY_EXISTS -> refused(operation, userId, Step.CREDENTIAL_NEW);
            case TOO_MANY_PASSKEYS -> refused(operation, userId, Step.CREDENTIAL_LIMIT);
        };
    }

    private AuditEvent refused(Operation operation, @Nullable String userId, Step step) {
        return AuditEvent.refused(AuditAction.of(operation), userId == null ? "" : userId, step.code(), correlationId);
    }

    private AuditEvent done(Operation operation, String userId) {
        return AuditEvent.of(AuditAction.of(operation), userId, correlationId);
    }
}
