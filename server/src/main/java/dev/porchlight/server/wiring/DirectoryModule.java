// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.server.auth.GroupAdministration;
import dev.porchlight.server.auth.Invitations;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.OperatorAdministration;
import dev.porchlight.server.auth.OperatorRoles;
import dev.porchlight.server.auth.Recovery;
import dev.porchlight.server.auth.RecoveryCodes;
import dev.porchlight.server.auth.StableKeys.Purpose;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.routes.AccountRoutes;
import dev.porchlight.server.routes.AdminGate;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.routes.EnrollmentRoutes;
import dev.porchlight.server.routes.GroupRoutes;
import dev.porchlight.server.routes.OperatorRoutes;
import dev.porchlight.server.routes.ProfileRoutes;
import dev.porchlight.server.routes.RecoveryRoutes;
import dev.porchlight.server.routes.SessionCookie;
import dev.porchlight.server.routes.UserAdminRoutes;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import java.util.Optional;
import java.util.function.Consumer;

/** Users, their profiles, groups and enrollments, and operators: what changes them, and its routes. Thread-safe. */
public final class DirectoryModule {
    private final StorageModule storage;
    private final Config config;
    private final Units units;
    private final UserAdministration users;
    private final OperatorAdministration operators;
    private final GroupAdministration groups;
    private final Profiles profiles;
    private final Invitations invitations;

    /**
     * Changes are committed to these units.
     *
     * @param departure ends what applications got from sign-ins of a user who leaves a group
     * @param accessEnded is notified of users whose sessions and tokens have ended
     */
    public DirectoryModule(
            StorageModule storage, Units units, GroupAdministration.Departure departure, Consumer<String> accessEnded) {
        this.storage = storage;
        this.config = storage.config;
        this.units = units;
        users = new UserAdministration(
                units,
                storage.sessions(),
                storage.enrollments(),
                storage.erasedUsers(),
                storage.removedPasskeys(),
                (connection, userId, by) -> {
                    storage.outbox().eraseUser(connection, userId);
                    storage.relay().userErased(connection, userId, by);
                },
                storage.notices(),
                accessEnded,
                storage.clock);
        boolean keepOwner = config.get(Settings.ADMIN_TOKEN).isEmpty();
        operators =
                new OperatorAdministration(units, storage.enrollments(), storage.apiTokens(), keepOwner, storage.clock);
        groups = new GroupAdministration(units, departure, accessEnded);
        profiles = new Profiles(
                units,
                (connection, userId, before, byUser) -> {
                    storage.enrollments().addressChanged(connection, userId);
                    storage.notices().addressChanged(connection, userId, before, byUser);
                },
                storage.clock);
        invitations = new Invitations(
                units, storage.enrollments(), storage.names(), profiles, groups, storage.sql(), storage.mail());
    }

    public UserAdministration users() {
        return users;
    }

    public OperatorAdministration operators() {
        return operators;
    }

    public GroupAdministration groups() {
        return groups;
    }

    public Profiles profiles() {
        return profiles;
    }

    public Invitations invitations() {
        return invitations;
    }

    /** The gate of the routes for operators. */
    public AdminGate gate(SessionCookie cookie) {
        byte[] labels = storage.keys().of(Purpose.OPERATOR_LABELS);
        Optional<String> token = config.get(Settings.ADMIN_TOKEN);
        return new AdminGate(
                token,
                config.local(),
                // On a management port, the cookie of the public origin does not count.
                config.get(Settings.MANAGEMENT_PORT).isPresent() ? Optional.empty() : Optional.of(cookie),
                token.map(secret -> Operator.ofAdminToken(secret, labels)).orElse(Operator.LOCAL),
                new OperatorRoles(storage.sql()),
                storage.apiTokens(),
                storage.auditSubjects());
    }

    /**
     * Mounts the routes for operators.
     *
     * @param erased is run after a user was erased
     */
    public void mountAdministration(Router.Builder router, PasskeyService passkeys, Runnable erased) {
        var sql = storage.sql();
        String origin = config.relyingParty().origin();
        new UserAdminRoutes(
                        users,
                        groups,
                        operators,
                        profiles,
                        passkeys,
                        storage.sessions(),
                        storage.enrollments(),
                        sql,
                        erased)
                .mount(router);
        new EnrollmentRoutes(invitations, profiles, sql, origin).mount(router);
        new GroupRoutes(groups, sql).mount(router);
        new OperatorRoutes(operators, new OperatorRoles(sql), storage.apiTokens(), storage.clock).mount(router);
    }

    /** Mounts the routes for users. */
    public void mountAccount(
            Router.Builder router,
            Callers callers,
            PasskeyService passkeys,
            SessionCookie cookie,
            CeremonyTelemetry telemetry) {
        var sql = storage.sql();
        var party = config.relyingParty();
        new AccountRoutes(passkeys, party, storage.sessions(), cookie, users, units, sql, storage.clock).mount(router);
        new ProfileRoutes(
                        profiles,
                        storage.notices(),
                        units,
                        callers,
                        config.get(Settings.PROFILE_EDITABLE),
                        sql,
                        storage.clock)
                .mount(router);
        Recovery recovery = new Recovery(
                units,
                sql,
                storage.enrollments(),
                new RecoveryCodes(storage.keys().of(Purpose.RECOVERY_CODES), storage.random),
                storage.notices(),
                config.get(Settings.RECOVERY_DELAY_HOURS),
                party.maxPasskeysPerUser(),
                storage.clock);
        new RecoveryRoutes(recovery, config.get(Settings.RECOVERY), passkeys, party, telemetry).mount(router);
    }
}
