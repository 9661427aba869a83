// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The attack reports what gets through, and refuses to run against hosts that the caller has not confirmed to own. */
@Tag("slow")
class AttackTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void every_attack_group_gets_through_against_a_service_without_checks() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            int status = run(lax.url(), "--rate", "1000", "--rounds", "3", "--minutes", "60");

            assertThat(status).as(printed()).isEqualTo(1);
            for (String group : List.of(
                    "tampered-logins",
                    "tampered-registrations",
                    "replays",
                    "replay-races",
                    "cross-user",
                    "enumeration",
                    "malformed-requests",
                    "header-tricks",
                    "removal-races",
                    "recovery",
                    "forged-tokens",
                    "sessions",
                    "rsa-signatures",
                    "openid-redirects",
                    "openid-codes",
                    "openid-cross-site",
                    "openid-proofs",
                    "openid-token-types",
                    "openid-bounds")) {
                assertThat(printed()).contains("got through: " + group + ": ");
            }
            assertThat(printed())
                    .containsPattern("tampered-logins +(\\d+) +0 +\\1 ")
                    .containsPattern("tampered-logins: [a-z]+/[a-z0-9-]+ \\(7\\.2\\.\\d+\\): status 200")
                    .contains("a login response, sent twice: status 200")
                    .containsPattern("rsa-signatures +(\\d+) +0 +\\1 ")
                    .containsPattern("replay-races +126 +0 +126 ")
                    .contains("options of an unknown user: 404")
                    .contains("recovery: a recovery code, used twice: ")
                    .contains("recovery: a link that was created with a passkey that is removed: ")
                    .contains("alg 'none'")
                    .contains("openid-redirects: the redirect URI 'https://evil.example/callback': ")
                    .contains("openid-codes: no PKCE: ", "openid-codes: a code without a verifier: ")
                    .contains("openid-proofs: an assertion, used twice: ")
                    .contains("openid-cross-site: a sign-in completed by a link, cross-site: ")
                    .contains("openid-token-types: an ID token as an access token: ")
                    .contains("GOT THROUGH.");
            assertThat(lax.passkeysLeft()).as("passkeys left").isZero();
        }
    }

    @Test
    void a_service_that_allows_locking_a_user_out_is_reported() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty(LaxRelyingParty.Limit.NAME)) {
            assertThat(run(lax.url(), "--only", "lock-out", "--rate", "1000")).isEqualTo(1);

            assertThat(printed())
                    .containsPattern("lock-out +2 +0 +2 +1")
                    .contains("options issued before the requests in the user's name: refused with 400")
                    .contains("after the requests in the user's name: refused with 429, other users are not");
        }
    }

    @Test
    void a_limit_on_the_address_is_not_reported_as_a_lock_out() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty(LaxRelyingParty.Limit.ADDRESS)) {
            assertThat(run(lax.url(), "--only", "lock-out", "--rate", "1000")).isZero();

            assertThat(printed())
                    .containsPattern("lock-out +1 +1 +0 +2")
                    .contains("the service limits this address for all users");
        }
    }

    @Test
    void a_group_whose_valid_requests_fail_is_not_tried_and_the_next_one_runs() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty(LaxRelyingParty.Limit.NO_CODES)) {
            assertThat(run(lax.url(), "--only", "openid-codes,openid-token-types", "--rate", "1000"))
                    .isEqualTo(2);

            assertThat(printed())
                    .contains("not tried: openid-codes: the rest of the group: a valid sign-in to a client failed")
                    .contains("not tried: openid-token-types: the rest of the group: expected status 303")
                    .contains("Nothing got through in 0 attempts, but 2 groups could not be tried to their end.");
        }
    }

    @Test
    void only_the_named_groups_run() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            assertThat(run(lax.url(), "--only", "replays", "--rate", "1000")).isEqualTo(1);

            assertThat(printed()).contains("  replays ").doesNotContain("  sessions ");
        }
    }

    @Test
    void skipped_groups_are_listed() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            run(lax.url(), "--only", "replays,tampered-registrations", "--rate", "1000", "--minutes", "60");

            assertThat(printed())
                    .containsPattern("not tried: tampered-registrations: [0-9]+ attempts: needs the testkit's root")
                    .contains("Not tried: the groups replay-races, ", "floods from many addresses");
        }
    }

    @Test
    void the_attack_stops_when_its_time_is_up_and_reports_skipped_attempts() {
        Target target = new Target(List.of(URI.create("http://127.0.0.1:9")), 1, 10);
        assertThat(target.isOver()).isFalse();
        target.shareUntil(System.nanoTime() + TimeUnit.HOURS.toNanos(1), 2);
        assertThat(target.isOver()).isFalse();
        target.shareUntil(System.nanoTime(), 2);
        assertThat(target.isOver()).isTrue();
        Scene scene = new Scene(target, "", null, null, null, "", 1, null, new Scene.Early());
        Score score = new Score("tampered-logins");

        new TamperedLogins().run(scene, score);

        assertThat(score.attempts()).isZero();
        assertThat(score.reasons()).singleElement().asString().contains("attempts: out of time: raise");
    }

    @Test
    void the_attack_stops_at_the_maximum_number_of_requests() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            assertThat(run(lax.url(), "--most", "30")).isEqualTo(2);

            assertThat(err.toString(StandardCharsets.UTF_8)).contains("maximum number of requests was reached");
            assertThat(printed())
                    .contains("Aborted after ")
                    .doesNotContain("Nothing got through", "could not be removed");
            assertThat(lax.passkeysLeft()).as("passkeys left").isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://192.0.2.1",
                "https://192.0.2.1 --i-own-this example.com",
                "http://localhost --only everything",
                "http://localhost --rate 0",
                "http://localhost --fast",
                "http://localhost http://192.0.2.1",
                "localhost",
                ""
            })
    void other_machines_and_invalid_arguments_are_refused(String arguments) {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Usage: porchlight attack");
    }

    @Test
    void a_confirmed_other_machine_is_accepted() {
        AttackOptions options =
                AttackOptions.parse(List.of("https://login.example.com", "--i-own-this", "login.example.com"));

        assertThat(options.origin()).isEqualTo("https://login.example.com");
    }

    @Test
    void an_attack_on_a_closed_port_reports_a_missing_response() throws IOException {
        assertThat(run("http://127.0.0.1:9")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("Error: no response from http://127.0.0.1:9: start the service")
                .doesNotContain("SIGNUP");
    }

    private int run(String... arguments) {
        return Main.run(
                List.of(arguments),
                Map.of(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
