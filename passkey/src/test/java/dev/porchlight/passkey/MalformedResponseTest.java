// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.SqlChallengeStore;
import dev.porchlight.testkit.SoftBrowser;
import java.util.Base64;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A malformed response uses its challenge, like any other failed attempt (T03). */
class MalformedResponseTest {
    private static final Pattern CLIENT_DATA = Pattern.compile("(?<=\"clientDataJSON\":\")[^\"]*");

    /** Changes that break a valid response but leave its challenge readable. */
    private static final Map<String, UnaryOperator<String>> BREAKINGS = Map.of(
            "no rawId", json -> json.replaceFirst("\"rawId\"", "\"raw\""),
            "id twice", json -> json.replaceFirst("\\{", "{\"id\":\"AA\","),
            "a signature or statement that is no base64url",
                    json -> json.replaceFirst("(\"signature\":\"|\"attestationObject\":\")", "$1*"),
            "a padded id", json -> json.replaceFirst("(\"id\":\"[^\"]*)", "$1="),
            "no type", json -> json.replaceFirst("\"public-key\"", "\"password\""),
            "broken off", json -> json.substring(0, json.lastIndexOf('}')),
            "client data in base64 with padding",
                    json -> clientData(json, Base64.getEncoder(), text -> text.length() % 3 == 0 ? text + " " : text),
            "client data without an origin", json -> clientData(json, plain(), text -> text.replace("origin", "o")),
            "client data with a type twice",
                    json -> clientData(json, plain(), text -> "{\"type\":\"\"," + text.substring(1)),
            "client data with a tail", json -> clientData(json, plain(), text -> text + "}"));

    /** The kinds of challenge stores. */
    enum Store {
        SEALED_ON_SQLITE(TestDatabase.SQLITE) {
            @Override
            ChallengeStore on(DataSource database) {
                return null;
            }
        },
        SEALED_ON_POSTGRES(TestDatabase.POSTGRES) {
            @Override
            ChallengeStore on(DataSource database) {
                return null;
            }
        },
        MEMORY(TestDatabase.SQLITE) {
            @Override
            ChallengeStore on(DataSource database) {
                return new MemoryChallengeStore(new TestClock());
            }
        },
        SQLITE(TestDatabase.SQLITE),
        POSTGRES(TestDatabase.POSTGRES);

        final TestDatabase database;

        Store(TestDatabase database) {
            this.database = database;
        }

        ChallengeStore on(DataSource pool) {
            return new SqlChallengeStore(pool, new TestClock());
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_malformed_response_uses_its_challenge(Store store) {
        try (HikariDataSource pool = store.database.fresh()) {
            Migration.run(pool);
            Stage stage = Stage.on(pool, store.on(pool));
            var browser = Stage.browser();
            stage.register("alice", browser);

            BREAKINGS.forEach((how, breaking) -> {
                loginUsesChallenge(stage.service, browser, breaking);
                usernamelessLoginUsesChallenge(stage.service, browser, breaking);
                registrationUsesChallenge(stage.service, breaking);
            });

            assertThat(stage.passkeys("bob")).isEmpty();
            assertThat(stage.signIn("alice", browser).verified()).isTrue();
        }
    }

    private static void loginUsesChallenge(
            PasskeyService service, SoftBrowser browser, UnaryOperator<String> breaking) {
        String response = browser.get(service.startAuthentication("alice").toJson());
        assertMalformed(((AuthenticationResult.Refused) service.finishAuthentication("alice", breaking.apply(response)))
                .step());
        assertRefused(service.finishAuthentication("alice", response), Step.CHALLENGE_KNOWN);
    }

    private static void usernamelessLoginUsesChallenge(
            PasskeyService service, SoftBrowser browser, UnaryOperator<String> breaking) {
        String response = browser.get(service.startAuthentication().toJson());
        assertMalformed(((AuthenticationResult.Refused) service.finishAuthentication(breaking.apply(response))).step());
        assertRefused(service.finishAuthentication(response), Step.CHALLENGE_KNOWN);
    }

    private static void registrationUsesChallenge(PasskeyService service, UnaryOperator<String> breaking) {
        String response =
                Stage.browser().create(service.startRegistration("bob").toJson());
        assertMalformed(
                ((RegistrationResult.Refused) service.finishRegistration("bob", breaking.apply(response))).step());
        assertRefused(service.finishRegistration("bob", response), Step.CHALLENGE_KNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void a_malformed_response_does_not_use_the_challenge_of_another_user(Store store) {
        try (HikariDataSource pool = store.database.fresh()) {
            Migration.run(pool);
            Stage stage = Stage.on(pool, store.on(pool));
            var browser = Stage.browser();
            stage.register("alice", browser);
            String response =
                    browser.get(stage.service.startAuthentication("alice").toJson());

            String broken = BREAKINGS.get("no rawId").apply(response);
            assertThat(stage.service.finishAuthentication("mallory", broken).verified())
                    .isFalse();
            assertThat(stage.service.finishAuthentication(broken).verified()).isFalse();

            assertThat(stage.service.finishAuthentication("alice", response).verified())
                    .isTrue();
        }
    }

    @Test
    void a_missing_response_is_malformed() {
        PasskeyService service = Stage.on(TestDatabase.SQLITE).service;

        assertRefused(service.finishRegistration("alice", null), Step.RESPONSE);
        assertRefused(service.finishFirstRegistration("alice", null), Step.RESPONSE);
        assertRefused(service.finishAuthentication("alice", null), Step.RESPONSE);
        assertRefused(service.finishAuthentication(null), Step.RESPONSE);
    }

    private static void assertMalformed(Step step) {
        assertThat(step).isIn(Step.RESPONSE, Step.CLIENT_DATA);
    }

    private static Base64.Encoder plain() {
        return Base64.getUrlEncoder().withoutPadding();
    }

    private static String clientData(String json, Base64.Encoder encoder, UnaryOperator<String> change) {
        return CLIENT_DATA.matcher(json).replaceFirst((MatchResult found) -> {
            String text = new String(Base64.getUrlDecoder().decode(found.group()), UTF_8);
            return encoder.encodeToString(change.apply(text).getBytes(UTF_8));
        });
    }
}
