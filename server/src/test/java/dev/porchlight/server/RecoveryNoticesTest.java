// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.auth.Browser;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Enrollments.Issued;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Recovery;
import dev.porchlight.server.auth.RecoveryCodes;
import dev.porchlight.server.auth.Registrant;
import dev.porchlight.server.auth.StableKeys.Purpose;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.mail.Notice;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.wiring.DirectoryModule;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.files.FastDirectory;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users are notified of when their account is recovered. */
class RecoveryNoticesTest {
    private static final String ADA = "ada";
    private static final String ORIGIN = "http://localhost";

    private final Parts parts = new Parts();
    private final List<Notice> sent = new ArrayList<>();
    private final Notices notices = (connection, notice, userId) -> {
        assertThat(userId).isEqualTo(ADA);
        sent.add(notice);
    };
    private StorageModule storage;
    private Units units;
    private PasskeyService passkeys;
    private Ceremonies ceremonies;
    private Caller ada;

    @BeforeEach
    void open() throws Exception {
        storage = new StorageModule(
                parts,
                Config.read(Map.of(
                        "DATABASE_URL",
                        TestDatabase.SQLITE.freshUrl(),
                        "DATA_DIR",
                        FastDirectory.fresh().toString(),
                        "SESSION_SECRET",
                        Service.SECRET,
                        "REQUEST_TIMEOUT_MS",
                        Patience.REQUEST_TIMEOUT_MS)));
        units = storage.units();
        parts.add(units::close);
        passkeys = PasskeyService.builder(
                        new PasskeyConfig("Recovery", "localhost", ORIGIN),
                        storage.database().dataSource())
                .sealedChallenges(new byte[32])
                .credentialStore(new SqlCredentialStore(storage.sql()))
                .build();
        ceremonies = new Ceremonies(units, storage.sessions(), storage.names(), Authenticators.UNKNOWN, notices, true);
        CredentialRecord first =
                register(new DirectoryModule(storage, units, (connection, userId, group) -> false, userId -> {})
                        .invitations()
                        .issue(ADA, Enrollments.LIFETIME, Operator.commandLine())
                        .issued());
        Grant grant = new Grant(ADA, first.credentialId(), Grant.createdAt(first), null, Instant.now());
        ada = new Caller(grant, Instant.MAX, null, null, List.of(), "id");
        sent.clear();
    }

    @AfterEach
    void close() {
        parts.close();
    }

    private CredentialRecord register(Issued issued) {
        SoftBrowser browser = new SoftBrowser(ORIGIN, SoftAuthenticator.securityKey());
        String response = browser.create(passkeys.startRegistration(ADA).toJson());
        var enrollment = storage.enrollments().find(issued.token());
        var commit = ceremonies.registration("id", Browser.UNKNOWN, new Registrant(ADA, null, enrollment));
        var result = passkeys.finishRegistration(ADA, response, false, commit);
        assertThat(result).isInstanceOf(Registered.class);
        return ((Registered) result).credential();
    }

    private Recovery recovery(Duration delay) {
        RecoveryCodes codes = new RecoveryCodes(storage.keys().of(Purpose.RECOVERY_CODES), new SecureRandom());
        return new Recovery(units, storage.sql(), storage.enrollments(), codes, notices, delay, 20, Clock.systemUTC());
    }

    @Test
    void the_use_of_a_code_and_its_new_passkey_are_notified() {
        Recovery recovery = recovery(Duration.ZERO);
        String code = recovery.createCodes(ada).orElseThrow().get(0);
        assertThat(recovery.attempt(ADA, "wrong", "id").token()).isNull();
        assertThat(sent).isEmpty();

        Issued issued = recovery.attempt(ADA, code, "id").token();
        assertThat(sent).containsExactly(Notice.RECOVERY_STARTED);
        register(issued);

        assertThat(sent).containsExactly(Notice.RECOVERY_STARTED, Notice.RECOVERED);
    }

    @Test
    void a_recovery_that_waits_is_notified_once() {
        Recovery recovery = recovery(Duration.ofHours(1));
        String code = recovery.createCodes(ada).orElseThrow().get(0);

        for (int i = 0; i < 3; i++) {
            assertThat(recovery.attempt(ADA, code, "id").validFrom()).isPositive();
        }

        assertThat(sent).containsExactly(Notice.RECOVERY_STARTED);
    }

    @Test
    void a_link_for_another_device_is_no_recovery() {
        register(recovery(Duration.ZERO).addDevice(ada));

        assertThat(sent).doesNotContain(Notice.RECOVERY_STARTED, Notice.RECOVERED);
    }
}
