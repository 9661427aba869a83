// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.sqlite.SQLiteDataSource;

/** Several instances of an application on one database, each with its own context. */
class SharedChallengesTest {
    private static final String KEY = "porchlight.challenge-key=the key of all instances, 32 bytes";
    private static final String NEXT_KEY = "porchlight.challenge-key=the next key of all, thirty-two b.";

    @TempDir
    Path directory;

    private final SoftBrowser browser = new SoftBrowser("https://shop.example", SoftAuthenticator.securityKey());
    private Sql sql;
    private WebApplicationContextRunner application;

    @BeforeEach
    void prepare() {
        var database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("application.db"));
        sql = new Sql(database);
        application = new WebApplicationContextRunner()
                .withUserConfiguration(PasskeyAutoConfigurationTest.Application.class)
                .withBean(DataSource.class, () -> database)
                .withPropertyValues(
                        "porchlight.rp-name=Shop",
                        "porchlight.rp-id=shop.example",
                        "porchlight.origin=https://shop.example");
    }

    @Test
    void two_instances_finish_each_others_logins_without_a_configured_key() {
        both(application, application, (one, two) -> {
            register(one, two);
            String response = login(one);

            assertThat(two.finishAuthentication("ada", response).verified()).isTrue();
            assertRefused(one.finishAuthentication("ada", response));
            assertThat(one.startAuthentication("unknown").allowCredentials())
                    .as("decoys")
                    .isEqualTo(two.startAuthentication("unknown").allowCredentials());
        });
        assertThat(count("passkey_secret")).isEqualTo(1);
        assertThat(count("passkey_challenge")).isZero();
        assertThat(count("passkey_used_challenge")).isEqualTo(2);
    }

    @Test
    void a_login_survives_a_restart_of_its_instance() {
        var response = new StringBuilder();
        application.run(context -> {
            PasskeyService service = context.getBean(PasskeyService.class);
            register(service, service);
            response.append(login(service));
        });

        application.run(context -> assertThat(context.getBean(PasskeyService.class)
                        .finishAuthentication("ada", response.toString())
                        .verified())
                .isTrue());
    }

    @Test
    void a_configured_key_is_used_and_not_stored_in_the_database() {
        both(application.withPropertyValues(KEY), application.withPropertyValues(KEY), (one, two) -> {
            register(one, two);

            assertThat(two.finishAuthentication("ada", login(one)).verified()).isTrue();
            assertThat(one.startAuthentication("unknown").allowCredentials())
                    .isEqualTo(two.startAuthentication("unknown").allowCredentials());
        });
        both(
                application.withPropertyValues(KEY),
                application.withPropertyValues(NEXT_KEY),
                (one, two) -> assertRefused(two.finishAuthentication("ada", login(one))));

        assertThat(count("passkey_secret")).isZero();
    }

    @Test
    void a_login_started_with_the_previous_key_can_be_finished() {
        var rotated = application.withPropertyValues(NEXT_KEY, KEY.replace(".ch", ".previous-ch"));
        both(application.withPropertyValues(KEY), rotated, (one, two) -> {
            register(one, two);

            assertThat(two.finishAuthentication("ada", login(one)).verified()).isTrue();
        });
    }

    @Test
    void used_challenges_are_stored_in_the_applications_bean() {
        Set<String> used = new HashSet<>();
        UsedChallenges elsewhere = (id, expiresAt) -> used.add(id);
        application.withBean(UsedChallenges.class, () -> elsewhere).run(context -> {
            PasskeyService service = context.getBean(PasskeyService.class);
            register(service, service);
            assertThat(service.finishAuthentication("ada", login(service)).verified())
                    .isTrue();
        });

        assertThat(used).hasSize(2);
        assertThat(count("passkey_used_challenge")).isZero();
    }

    @Test
    void a_challenge_store_of_the_application_replaces_sealed_challenges() {
        var store = new MemoryChallengeStore();
        application
                .withPropertyValues(KEY)
                .withBean(ChallengeStore.class, () -> store)
                .run(context -> {
                    String challenge = context.getBean(PasskeyService.class)
                            .startAuthentication("ada")
                            .challenge();

                    assertThat(store.getChallenge("ada").challenge()).isEqualTo(challenge);
                });
    }

    private static void both(
            WebApplicationContextRunner first,
            WebApplicationContextRunner second,
            BiConsumer<PasskeyService, PasskeyService> work) {
        first.run(one ->
                second.run(two -> work.accept(one.getBean(PasskeyService.class), two.getBean(PasskeyService.class))));
    }

    private void register(PasskeyService one, PasskeyService two) {
        String response = browser.create(one.startRegistration("ada").toJson());
        assertThat(two.finishRegistration("ada", response).registered()).isTrue();
    }

    private String login(PasskeyService service) {
        return browser.get(service.startAuthentication("ada").toJson());
    }

    private static void assertRefused(AuthenticationResult result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        AuthenticationResult.Refused.class,
                        refused -> assertThat(refused.step()).isEqualTo(Step.CHALLENGE_KNOWN));
    }

    private long count(String table) {
        return sql.query("SELECT COUNT(*) FROM " + table, row -> row.getLong(1)).get(0);
    }
}
