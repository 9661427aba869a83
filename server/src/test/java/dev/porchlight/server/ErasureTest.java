// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.auth.Browser;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.GroupAdministration.JoinResult;
import dev.porchlight.server.auth.Invitations;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Registrant;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserAccess;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.storage.UserGroups;
import dev.porchlight.server.wiring.DirectoryModule;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.files.FastDirectory;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that run at the same time as the erasure of their user do not write the name again. */
class ErasureTest {
    private static final String ORIGIN = "http://localhost";
    private static final String ADA = "ada lovelace";
    private static final Operator OPERATOR = Operator.commandLine();
    private static final List<String> TABLES = List.of(
            "passkey_user",
            "passkey_credential",
            "porchlight_name",
            "porchlight_audit",
            "porchlight_audit_subject",
            "porchlight_group_member",
            "porchlight_user_access");

    private final Clock clock = Clock.systemUTC();
    private final Parts parts = new Parts();
    private StorageModule storage;
    private DirectoryModule directory;
    private Units units;
    private Enrollments enrollments;
    private UserAdministration users;
    private PasskeyService passkeys;
    private Ceremonies ceremonies;
    private String secondOptions;

    private void open(TestDatabase database) throws Exception {
        storage = new StorageModule(
                parts,
                Config.read(Map.of(
                        "DATABASE_URL",
                        database.freshUrl(),
                        "DATA_DIR",
                        FastDirectory.fresh().toString(),
                        "SESSION_SECRET",
                        Service.SECRET,
                        "REQUEST_TIMEOUT_MS",
                        Patience.REQUEST_TIMEOUT_MS)),
                4,
                clock,
                Database.START_TIMEOUT,
                statement -> () -> {});
        units = storage.units();
        parts.add(units::close);
        enrollments = storage.enrollments();
        Sql sql = storage.sql();
        Sessions sessions = storage.sessions();
        directory = new DirectoryModule(storage, units, (connection, userId, group) -> false, userId -> {});
        users = directory.users();
        passkeys = PasskeyService.builder(
                        new PasskeyConfig("Erasure", "localhost", ORIGIN),
                        storage.database().dataSource())
                .sealedChallenges(new byte[32])
                .credentialStore(new SqlCredentialStore(sql))
                .build();
        ceremonies = new Ceremonies(units, sessions, storage.names(), Authenticators.UNKNOWN, Notices.NONE, true);
    }

    @AfterEach
    void close() {
        parts.close();
    }

    /** Why the name is not available. */
    private static Optional<String> reserve(StorageModule storage) {
        return storage.sql()
                .transaction(
                        "reserve a name",
                        connection -> Optional.ofNullable(storage.names().reserve(connection, ADA)));
    }

    private Invitations.Result issue() {
        return directory.invitations().issue(ADA, Enrollments.LIFETIME, OPERATOR);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_registration_that_began_before_the_erasure_is_refused_under_the_pseudonym(TestDatabase database)
            throws Exception {
        open(database);
        reserve(storage);
        Enrollment invitation = enrollments.find(issue().issued().token());
        Enrollment signUp = enrollments.find(
                enrollments.forNewUser(ADA, "Ada", Profile.EMPTY).token());
        SoftBrowser browser = new SoftBrowser(ORIGIN, SoftAuthenticator.securityKey());
        List<String> responses = List.of(
                browser.create(passkeys.startRegistration(ADA).toJson()),
                browser.create(passkeys.startRegistration(ADA).toJson()));

        users.erase(ADA, OPERATOR);

        assertThat(passkeys.finishRegistration(
                                ADA,
                                responses.get(0),
                                false,
                                ceremonies.registration("1", Browser.UNKNOWN, new Registrant(ADA, null, invitation)))
                        .registered())
                .isFalse();
        assertThat(passkeys.finishRegistration(
                                ADA,
                                responses.get(1),
                                true,
                                ceremonies.registration("2", Browser.UNKNOWN, new Registrant(ADA, null, signUp)))
                        .registered())
                .isFalse();
        assertThat(rows()).noneMatch(row -> row.contains(ADA));
        assertThat(Service.rows(storage.sql(), "porchlight_audit"))
                .filteredOn(row -> row.contains("registration") && row.contains("refused"))
                .hasSize(2)
                .allMatch(row -> row.contains(subject(ADA)));
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void erasing_a_user_changes_no_audit_row(TestDatabase database) throws Exception {
        open(database);
        reserve(storage);
        units.append(AuditEvent.of(AuditAction.LOGOUT, ADA, "before the erasure"));
        List<String> before = Service.rows(storage.sql(), "porchlight_audit");
        assertThat(users()).containsExactly(ADA);

        users.erase(ADA, OPERATOR);
        units.append(AuditEvent.of(AuditAction.LOGOUT, ADA, "a request that began before the erasure"));

        assertThat(Service.rows(storage.sql(), "porchlight_audit"))
                .containsAll(before)
                .noneMatch(row -> row.contains(ADA));
        assertThat(users()).containsOnly(AuditSubjects.PREFIX + subject(ADA));
        assertThat(storage.auditVerification().verify().faults()).isEmpty();
    }

    @Test
    void an_imported_user_with_another_spelling_keeps_its_name_in_the_audit_log() throws Exception {
        open(TestDatabase.SQLITE);
        reserve(storage);
        storage.sql().update("INSERT INTO passkey_user (user_id) VALUES ('Ada Lovelace')");
        storage.names().takeMissing(storage.sql());
        units.append(AuditEvent.of(AuditAction.LOGOUT, "Ada Lovelace", "1"));

        users.erase(ADA, OPERATOR);

        assertThat(users()).contains("Ada Lovelace").doesNotContain(ADA);
        assertThat(users.lock("Ada Lovelace", OPERATOR)).isEqualTo(UserAdministration.Result.DONE);
    }

    @Test
    void users_that_the_library_registered_are_known_after_a_start() throws Exception {
        open(TestDatabase.SQLITE);
        storage.sql().update("INSERT INTO passkey_user (user_id) VALUES ('grace')");
        units.append(AuditEvent.of(AuditAction.LOGIN, "grace", "1"));
        assertThat(users()).containsExactly(AuditSubjects.PREFIX + subject("grace"));

        storage.names().takeIfLastIsMissing(storage.sql());

        assertThat(users()).containsExactly("grace");
        assertThat(storage.names().isTaken(storage.sql(), "GRACE")).isTrue();
    }

    @Test
    void users_before_those_that_the_service_knows_are_known_after_the_first_sweep() throws Exception {
        open(TestDatabase.SQLITE);
        storage.sql().update("INSERT INTO passkey_user (user_id) VALUES ('grace')");
        storage.names().takeMissing(storage.sql());
        storage.sql().update("INSERT INTO passkey_user (user_id) VALUES ('alan')");
        units.append(AuditEvent.of(AuditAction.LOGIN, "alan", "1"));
        storage.names().takeIfLastIsMissing(storage.sql());
        assertThat(users()).containsExactly(AuditSubjects.PREFIX + subject("alan"));

        storage.sweeper().run();

        assertThat(users()).containsExactly("alan");
        assertThat(storage.names().isTaken(storage.sql(), "ALAN")).isTrue();
    }

    /** The users in the audit log, as operators see them. */
    private List<String> users() {
        return new AuditStore(storage.sql())
                .entries(AuditEntry.Query.ofUser(null), 100).stream()
                        .map(entry -> entry.event().userId())
                        .filter(userId -> !userId.isEmpty())
                        .distinct()
                        .toList();
    }

    private static String subject(String userId) {
        return new AuditSubjects(new DerivedKeys(Service.SECRET).forPurpose("audit chain")).of(userId);
    }

    @Test
    void an_invitation_waits_for_the_erasure_and_is_refused() throws Exception {
        open(TestDatabase.POSTGRES);
        reserve(storage);

        Optional<String> unavailable = duringErasure(ADA, () -> reserve(storage));

        assertThat(unavailable).contains("it belonged to a user who was erased");
        assertThat(rows()).noneMatch(row -> row.contains(ADA));
    }

    @Test
    void an_enrollment_link_waits_for_the_erasure_and_is_not_issued() throws Exception {
        open(TestDatabase.POSTGRES);
        reserve(storage);

        var result = duringErasure(ADA, this::issue);

        assertThat(result.issued()).isNull();
        assertThat(Service.rows(storage.sql(), "porchlight_sealed_entry")).isEmpty();
    }

    /** Who holds the name of a user. */
    private enum Holder {
        THE_USER(ADA),
        ANOTHER_SPELLING("Ada Lovelace"),
        /** The library registered the user. */
        NO_USER(ADA);

        private final String userId;

        Holder(String userId) {
            this.userId = userId;
        }

        /** Stores the user without a row for the audit log. */
        void store(StorageModule storage) {
            if (this != NO_USER) {
                reserve(storage);
            }
            storage.sql().update("INSERT INTO passkey_user (user_id) VALUES (?)", userId);
            storage.sql().update("DELETE FROM porchlight_audit_subject");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_new_member_of_a_group_waits_for_the_erasure_and_is_refused(Holder holder) throws Exception {
        open(TestDatabase.POSTGRES);
        holder.store(storage);

        JoinResult joined =
                duringErasure(holder.userId, () -> directory.groups().add("staff", holder.userId, OPERATOR));

        assertThat(joined).isEqualTo(JoinResult.UNKNOWN_USER);
        assertThat(rows()).noneMatch(row -> row.contains(holder.userId));
    }

    @ParameterizedTest
    @EnumSource
    void an_erasure_waits_for_a_new_member_of_a_group_and_erases_it(Holder holder) throws Exception {
        open(TestDatabase.POSTGRES);
        holder.store(storage);
        Sql other = storage.database().sql();

        CompletableFuture<UserAdministration.Result> erasure = storage.sql()
                .transaction("add to a group", connection -> {
                    assertThat(TakenNames.holds(connection, holder.userId)).isTrue();
                    UserGroups.add(connection, "staff", holder.userId);
                    return startedBeside(other, () -> users.erase(holder.userId, OPERATOR));
                });

        assertThat(erasure.join()).isEqualTo(UserAdministration.Result.DONE);
        assertThat(rows()).noneMatch(row -> row.contains(holder.userId));
    }

    @ParameterizedTest
    @EnumSource
    void a_sweep_that_takes_missing_names_waits_for_the_erasure_and_takes_none(Holder holder) throws Exception {
        open(TestDatabase.POSTGRES);
        holder.store(storage);

        duringErasure(holder.userId, () -> {
            storage.names().takeMissing(storage.sql());
            return true;
        });

        assertThat(rows()).noneMatch(row -> row.contains(holder.userId));
    }

    /** What a user or an operator does at the same time, each with the passkey that was there when it began. */
    private enum Concurrent {
        REMOVAL {
            @Override
            Object run(ErasureTest test, Caller ada) {
                return test.users.removePasskey(ADA, ada.grant().credentialId(), true, ada);
            }
        },
        REMOVAL_BY_AN_OPERATOR {
            @Override
            Object run(ErasureTest test, Caller ada) {
                return test.users.removePasskey(ADA, ada.grant().credentialId(), true, OPERATOR);
            }
        },
        ADDITION {
            @Override
            Object run(ErasureTest test, Caller ada) {
                SoftBrowser browser = new SoftBrowser(ORIGIN, SoftAuthenticator.securityKey());
                String second = browser.create(test.secondOptions);
                return test.passkeys.finishRegistration(
                        ADA,
                        second,
                        false,
                        test.ceremonies.registration("1", Browser.UNKNOWN, new Registrant(ADA, ada, null)));
            }
        },
        SIGN_OUT_EVERYWHERE {
            @Override
            Object run(ErasureTest test, Caller ada) {
                test.users.signOutEverywhere(ada);
                return "done";
            }
        },
        LOCK {
            @Override
            Object run(ErasureTest test, Caller ada) {
                return test.users.lock(ADA, OPERATOR);
            }
        },
        UNLOCK {
            @Override
            Object run(ErasureTest test, Caller ada) {
                return test.users.unlock(ADA, OPERATOR);
            }
        },
        SIGN_OUT {
            @Override
            Object run(ErasureTest test, Caller ada) {
                return test.users.signOut(ADA, OPERATOR);
            }
        };

        abstract Object run(ErasureTest test, Caller ada);
    }

    @ParameterizedTest
    @EnumSource
    void a_request_that_waits_for_the_erasure_of_its_user_writes_nothing_about_them(Concurrent concurrent)
            throws Exception {
        Caller ada = registered();

        duringErasure(ADA, () -> {
            try {
                return concurrent.run(this, ada);
            } catch (Actor.DeniedException e) {
                return e;
            }
        });

        assertThat(rows()).noneMatch(row -> row.contains(ADA));
    }

    /** The erasure ends after the operator's request has found the user, and before it asks who was erased. */
    @ParameterizedTest
    @EnumSource(names = {"LOCK", "UNLOCK", "SIGN_OUT"})
    void a_change_that_found_its_user_before_the_erasure_writes_nothing_about_them(Concurrent concurrent)
            throws Exception {
        Caller ada = registered();

        Object result = duringErasure(ADA, () -> concurrent.run(this, ada), "LOCK TABLE porchlight_erased_user");

        assertThat(result).isEqualTo(UserAdministration.Result.NOT_FOUND);
        assertThat(rows()).noneMatch(row -> row.contains(ADA));
    }

    private Caller registered() throws Exception {
        open(TestDatabase.POSTGRES);
        reserve(storage);
        Enrollment invitation = enrollments.find(issue().issued().token());
        SoftBrowser browser = new SoftBrowser(ORIGIN, SoftAuthenticator.securityKey());
        var registered = (RegistrationResult.Registered) passkeys.finishRegistration(
                ADA,
                browser.create(passkeys.startRegistration(ADA).toJson()),
                false,
                ceremonies.registration("1", Browser.UNKNOWN, new Registrant(ADA, null, invitation)));
        CredentialRecord passkey = registered.credential();
        secondOptions = passkeys.startRegistration(ADA).toJson();
        Grant grant = new Grant(ADA, passkey.credentialId(), Grant.createdAt(passkey), null, clock.instant());
        return new Caller(grant, Instant.MAX, null, null, List.of(), "1");
    }

    /** Runs an action on PostgreSQL that waits for an erasure, and returns its result. */
    private <T> T duringErasure(String userId, Supplier<T> action, String... before) {
        Sql other = storage.database().sql();
        CompletableFuture<T> running = storage.sql().transaction("erase a user", connection -> {
            for (String statement : before) {
                Sql.update(connection, statement);
            }
            UserAccess access = UserAccess.read(connection, userId);
            UserDirectory.delete(connection, userId);
            storage.erasedUsers().add(connection, userId, access, clock.millis());
            return startedBeside(other, action);
        });
        return running.join();
    }

    /** Starts an action, and returns when it waits for a transaction or is done. */
    private static <T> CompletableFuture<T> startedBeside(Sql sql, Supplier<T> action) {
        CompletableFuture<T> started = CompletableFuture.supplyAsync(action);
        await().until(() -> started.isDone() || TestDatabase.isWaiting(sql));
        return started;
    }

    private List<String> rows() {
        return Service.rows(storage.sql(), TABLES);
    }
}
