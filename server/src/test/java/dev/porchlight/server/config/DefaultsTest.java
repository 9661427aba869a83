// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Default values, and the minimum and maximum of each setting. */
class DefaultsTest {
    private static final Map<String, String> ELSEWHERE = Map.of(
            "RP_ID", "example.com",
            "RP_ORIGIN", "https://login.example.com",
            "SESSION_SECRET", UUID.randomUUID().toString());

    @Test
    void the_default_relying_party_is_localhost() throws InvalidConfigException {
        PasskeyConfig party = Config.read(Map.of()).relyingParty();

        assertThat(party.rpName()).isEqualTo("Porchlight");
        assertThat(party.rpId()).isEqualTo("localhost");
        assertThat(party.origin()).isEqualTo("http://localhost:8080");
        assertThat(Config.read(Map.of("PORT", "9000")).relyingParty().origin()).isEqualTo("http://localhost:9000");
        assertThat(party.relatedOrigins()).isEmpty();
        assertThat(party.userVerification()).isEqualTo(UserVerification.PREFERRED);
        assertThat(party.attestationPolicy()).isEqualTo(AttestationPolicy.NOT_REQUESTED);
        assertThat(party.signCountPolicy()).isEqualTo(SignCountPolicy.AUTO);
        assertThat(party.challengeTtl()).isEqualTo(Duration.ofMinutes(5));
        assertThat(party.maxPasskeysPerUser()).isEqualTo(20);
    }

    @Test
    void the_default_storage_is_one_directory() throws InvalidConfigException {
        Config config = Config.read(Map.of());

        assertThat(config.get(Settings.DATA_DIR)).isEqualTo(Path.of("./data"));
        assertThat(config.get(Settings.DATABASE_URL).engine()).isEqualTo(Engine.SQLITE);
        assertThat(config.get(Settings.DATABASE_URL).jdbc()).endsWith("data/porchlight.db");
    }

    @Test
    void the_defaults_for_logins_and_limits_are_as_documented() throws InvalidConfigException {
        Config config = Config.read(Map.of());

        assertThat(config.get(Settings.LOGIN_RESULT)).isEqualTo(LoginResult.BOTH);
        assertThat(config.get(Settings.RECOVERY)).isTrue();
        assertThat(config.get(Settings.RECOVERY_DELAY_HOURS)).isZero();
        assertThat(config.get(Settings.TOKEN_TTL_SECONDS)).isEqualTo(Duration.ofMinutes(15));
        assertThat(config.get(Settings.SESSION_TTL_SECONDS)).isEqualTo(Duration.ofHours(12));
        assertThat(config.get(Settings.RATE_LIMIT_PER_MINUTE)).isEqualTo(120);
        assertThat(config.get(Settings.TRUSTED_PROXIES).any()).isFalse();
        assertThat(config.get(Settings.ADMIN_TOKEN)).isEmpty();
    }

    @Test
    void only_localhost_mode_generates_a_secret_and_opens_signup() throws InvalidConfigException {
        Config here = Config.read(Map.of());
        Config elsewhere = Config.read(ELSEWHERE);

        assertThat(here.local()).isTrue();
        assertThat(here.get(Settings.SESSION_SECRET)).isEmpty();
        assertThat(here.get(Settings.SIGNUP)).isTrue();
        assertThat(elsewhere.local()).isFalse();
        assertThat(elsewhere.get(Settings.SIGNUP)).isFalse();
        Map<String, String> open = new HashMap<>(ELSEWHERE);
        open.put("SIGNUP", "open");
        assertThat(Config.read(open).get(Settings.SIGNUP)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "PORT, 0, 65535",
        "MANAGEMENT_PORT, 0, 65535",
        "TOKEN_TTL_SECONDS, 1, 86400",
        "SESSION_TTL_SECONDS, 1, 34560000",
        "CHALLENGE_TTL_MS, 1000, 3600000",
        "RECOVERY_DELAY_HOURS, 0, 720",
        "MAX_PASSKEYS_PER_USER, 1, 1000",
        "MAX_BODY_BYTES, 1024, 16777216",
        "RATE_LIMIT_PER_MINUTE, 0, 1000000",
        "DATABASE_CONNECTIONS, 1, 500",
        "REQUEST_TIMEOUT_MS, 1000, 60000",
        "SVC_READINESS_DELAY_MS, 0, 3600000",
        "SHUTDOWN_DELAY_MS, 0, 3600000",
        "SHUTDOWN_TIMEOUT_MS, 0, 3600000",
    })
    void numbers_have_a_minimum_and_a_maximum(String variable, long least, long most) {
        for (long good : new long[] {least, most}) {
            assertThatNoException().isThrownBy(() -> Config.read(Map.of(variable, Long.toString(good))));
        }
        for (String bad :
                new String[] {Long.toString(least - 1), Long.toString(most + 1), "99999999999", "1e3", "many"}) {
            assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Config.read(Map.of(variable, bad)))
                            .faults())
                    .as(bad)
                    .singleElement()
                    .satisfies(fault -> {
                        assertThat(fault.setting().name()).isEqualTo(variable);
                        assertThat(fault.fix()).contains("from " + least + " to " + most);
                    });
        }
    }

    @Test
    void members_of_profiles_are_listed() throws InvalidConfigException {
        Config config = Config.read(Map.of("SIGNUP_FIELDS", "name*, email", "PROFILE_EDITABLE", "none"));

        assertThat(config.get(Settings.SIGNUP_FIELDS)).hasToString("[name*, email]");
        assertThat(config.get(Settings.PROFILE_EDITABLE)).isEmpty();
        assertThat(Config.read(Map.of()).get(Settings.SIGNUP_FIELDS)).isEmpty();
        assertThat(Config.read(Map.of()).get(Settings.PROFILE_EDITABLE))
                .extracting(ProfileMember::code)
                .containsExactly("name", "givenName", "familyName", "locale", "picture");
    }

    @ParameterizedTest
    @CsvSource({
        "SIGNUP_FIELDS, picture",
        "SIGNUP_FIELDS, 'name,name*'",
        "PROFILE_EDITABLE, claims",
        "PROFILE_EDITABLE, emailVerified",
        "PROFILE_EDITABLE, 'name,role'",
    })
    void only_members_that_users_may_set_are_listed(String variable, String value) {
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Config.read(Map.of(variable, value)))
                        .faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.setting().name()).isEqualTo(variable));
    }

    @ParameterizedTest
    @CsvSource({
        "31, false",
        "32, true",
    })
    void a_secret_has_at_least_32_bytes(int bytes, boolean good) {
        Map<String, String> variables =
                Map.of("SESSION_SECRET", "01234567".repeat(4).substring(32 - bytes));

        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Config.read(variables)) == null)
                .isEqualTo(good);
    }

    @ParameterizedTest
    @CsvSource({
        "SESSION_SECRET, 0000000000000000000000000000000000000000, is one character repeated",
        "SESSION_SECRET, changechangechangechangechangechange, has only 6 different characters",
        "ADMIN_TOKEN, aaaaaaaaaaaaaaaa, is one character repeated",
        "ADMIN_TOKEN, secret-secret-secret, has only 6 different characters",
    })
    void an_obviously_weak_secret_is_refused(String variable, String value, String wrong) {
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Config.read(Map.of(variable, value)))
                        .faults())
                .singleElement()
                .hasToString(variable + " " + wrong + ": set a random value, for example: openssl rand -hex 32");
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, https://example.com, true",
        "example.com, https://login.example.com, true",
        "example.com, https://login.example.com:8443, true",
        "login.example.com, https://example.com, false",
        "example.com, https://evilexample.com, false",
        "example.com, https://example.com.evil, false",
        "com, https://example.com, false",
        "co.uk, https://example.co.uk, false",
        "github.io, https://me.github.io, false",
        "github.io, https://github.io, false",
        "name.ck, https://name.ck, false",
        "www.ck, https://www.ck, true",
        "me.github.io, https://me.github.io, true",
        "intranet, https://intranet, true",
        "example.com, http://example.com, false",
        "EXAMPLE.com, https://example.com, false",
        "example.com, https://example.com/, false",
        "localhost, http://localhost:3000, true",
    })
    void the_rp_id_must_be_the_origin_host_or_a_registrable_parent(String rpId, String origin, boolean good) {
        Map<String, String> variables = new HashMap<>(ELSEWHERE);
        variables.put("RP_ID", rpId);
        variables.put("RP_ORIGIN", origin);

        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> Config.read(variables)) == null)
                .isEqualTo(good);
    }
}
