// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.attack.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kit's attack on our own service: nothing gets through, and nothing is left behind. */
@Tag("slow")
class AttackTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void nothing_gets_through() {
        try (Service service = Service.on(TestDatabase.SQLITE, "USER_VERIFICATION", "required")) {
            int status = attack(service, Map.of(), "--rounds", "20");

            assertThat(status).as(report()).isZero();
            assertThat(report()).contains("Nothing got through").doesNotContain("could not be removed");
            assertThat(Stream.of("tampered-logins", "tampered-registrations", "replays", "replay-races", "cross-user"))
                    .allSatisfy(group -> assertThat(report()).containsPattern("  " + group + " +[1-9]"));
            assertThat(Stream.of(
                            "enumeration", "decoy-shapes", "malformed-requests", "malformed-http", "header-tricks"))
                    .allSatisfy(group -> assertThat(report()).containsPattern("  " + group + " +[1-9]"));
            assertThat(Stream.of("forged-tokens", "sessions", "records", "ended-access", "recycled-names", "user-ids"))
                    .allSatisfy(group -> assertThat(report()).containsPattern("  " + group + " +[1-9]"));
            assertThat(report()).containsPattern("  lock-out +2 +2 +0 +0").containsPattern("  removal-races +[1-9]");
            assertThat(passkeys(service)).isZero();
        }
    }

    /** Statuses, headers, members and sizes; the times are reported, and no build depends on them. */
    @Test
    void P42_known_and_unknown_users_are_answered_alike_a_hundred_times() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            assertThat(attack(service, Map.of(), "--only", "enumeration", "--rounds", "100"))
                    .as(report())
                    .isZero();

            assertThat(report()).containsPattern("  enumeration +202 +202 +0 +0");
            assertThat(report())
                    .contains("timing of login options, 100 of each", "timing of refused logins, 100 of each");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token", "session"})
    void nothing_gets_through_where_an_administrator_lets_users_in(String result) {
        try (Service service = Service.on(TestDatabase.SQLITE, "SIGNUP", "closed", "LOGIN_RESULT", result)) {
            String groups =
                    "replays,cross-user,header-tricks,removal-races,forged-tokens,sessions,ended-access,user-ids";
            Map<String, String> admin = Map.of("ADMIN_TOKEN", Service.ADMIN_TOKEN);

            assertThat(attack(service, admin, "--only", groups)).as(report()).isZero();
            assertThat(report()).contains("Nothing got through").doesNotContain("could not be removed");
            assertThat(passkeys(service)).isZero();
        }
    }

    @Test
    void nothing_gets_through_with_old_sign_ins_or_in_the_names_of_invited_users() {
        try (Service service = Service.on(TestDatabase.SQLITE, "RECENT_LOGIN_SECONDS", "3")) {
            Map<String, String> admin = Map.of("ADMIN_TOKEN", Service.ADMIN_TOKEN);

            assertThat(attack(service, admin, "--only", "recycled-names,old-sign-ins", "--recent", "3"))
                    .as(report())
                    .isZero();

            assertThat(report())
                    .containsPattern("  recycled-names +7 +7 +0 +0")
                    .containsPattern("  old-sign-ins +3 +3 +0 +0");
        }
    }

    @Test
    void a_service_that_lets_nobody_in_cannot_be_attacked() {
        try (Service service = Service.on(TestDatabase.SQLITE, "SIGNUP", "closed")) {
            assertThat(attack(service, Map.of())).isEqualTo(2);
            assertThat(report()).contains("responded with 403 signup_closed", "SIGNUP=open", "ADMIN_TOKEN");
        }
    }

    private int attack(Service service, Map<String, String> environment, String... more) {
        String url = service.web().uri("").toString();
        var all = Stream.concat(Stream.of(url, "--origin", "http://localhost", "--rate", "1000"), Stream.of(more));
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return Main.run(List.copyOf(all.toList()), environment, out, out);
    }

    private String report() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static int passkeys(Service service) {
        return service.behindItsBack(sql -> sql.query("SELECT COUNT(*) FROM passkey_credential", row -> row.getInt(1)))
                .get(0);
    }
}
