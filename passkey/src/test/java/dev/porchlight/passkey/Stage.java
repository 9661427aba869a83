// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A relying party with its stores, and common test operations. */
final class Stage {
    static final String ORIGIN = "https://example.com";

    /** The key of sealed challenges. */
    static final byte[] KEY = "a key for tests, of thirty-two b".getBytes(UTF_8);

    final TestClock clock = new TestClock();
    final DataSource database;
    final ChallengeStore challenges;
    PasskeyService service;
    PasskeyConfig config;

    private Stage(DataSource database, ChallengeStore challenges) {
        this.database = database;
        this.challenges = challenges;
        configure(config -> config);
    }

    /** Creates a stage on an empty database. */
    static Stage on(TestDatabase database) {
        HikariDataSource pool = database.fresh();
        Migration.run(pool);
        return on(pool, null);
    }

    /** Creates a stage on a migrated database. Without a store, challenges are sealed. */
    static Stage on(DataSource database, ChallengeStore challenges) {
        return new Stage(database, challenges);
    }

    static PasskeyConfig config() {
        return new PasskeyConfig("Example", "example.com", ORIGIN);
    }

    Stage configure(UnaryOperator<PasskeyConfig.Builder> change) {
        return build(builder(change));
    }

    Stage listen(UnaryOperator<PasskeyConfig.Builder> change, CeremonyListener listener) {
        return build(builder(change).listener(listener));
    }

    Stage with(UnaryOperator<PasskeyServiceBuilder> change) {
        return with(config -> config, change);
    }

    Stage with(UnaryOperator<PasskeyConfig.Builder> configured, UnaryOperator<PasskeyServiceBuilder> change) {
        return build(change.apply(builder(configured)));
    }

    private PasskeyServiceBuilder builder(UnaryOperator<PasskeyConfig.Builder> change) {
        config = change.apply(config().toBuilder()).build();
        return challenges == null
                ? PasskeyService.builder(config, database).sealedChallenges(KEY)
                : PasskeyService.builder(config, database, challenges);
    }

    private Stage build(PasskeyServiceBuilder parts) {
        service = parts.clock(clock)
                .decoyKey(new byte[32])
                .background(Runnable::run)
                .build();
        return this;
    }

    static SoftBrowser browser(SoftAuthenticator authenticator) {
        return new SoftBrowser(ORIGIN, authenticator);
    }

    static SoftBrowser browser() {
        return browser(SoftAuthenticator.securityKey());
    }

    CredentialRecord register(String userId, SoftBrowser browser) {
        String options = service.startRegistration(userId).toJson();
        RegistrationResult result = service.finishRegistration(userId, browser.create(options));
        assertThat(result).isInstanceOf(RegistrationResult.Registered.class);
        return ((RegistrationResult.Registered) result).credential();
    }

    AuthenticationResult signIn(String userId, SoftBrowser browser) {
        String options = service.startAuthentication(userId).toJson();
        return service.finishAuthentication(userId, browser.get(options));
    }

    AuthenticationResult signIn(SoftBrowser browser) {
        return service.finishAuthentication(
                browser.get(service.startAuthentication().toJson()));
    }

    /** Returns whether a challenge issued for this user, or without a user, is used. */
    boolean isUsed(String userId, String challenge) {
        if (challenges != null) {
            return challenges.takeChallenge(userId == null ? "~" + challenge : userId, challenge) == null;
        }
        byte[] random = Arrays.copyOfRange(Base64.getUrlDecoder().decode(challenge), 10, 26);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return !new Sql(database)
                .query("SELECT 1 FROM passkey_used_challenge WHERE challenge_id = ?", row -> row.getInt(1), id)
                .isEmpty();
    }

    CeremonyExplainer explainer() {
        return new CeremonyExplainer(
                config, new SqlCredentialStore(new Sql(database)), clock, null, service.authenticators());
    }

    List<CredentialRecord> passkeys(String userId) {
        return service.passkeys(userId);
    }
}
