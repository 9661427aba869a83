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

/** The attack notices what gets through, and is made on nobody who does not ask for it. */
@Tag("slow")
class AttackTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void says_of_a_service_that_believes_everything_that_every_kind_of_attack_got_through() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            int status = run(lax.url(), "--rate", "1000", "--rounds", "3");

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
                    "forged-tokens",
                    "sessions")) {
                assertThat(printed()).contains("got through: " + group + ": ");
            }
            assertThat(printed())
                    .containsPattern("tampered-logins +(\\d+) +0 +\\1 ")
                    .containsPattern("tampered-logins: [a-z]+/[a-z0-9-]+ \\(7\\.2\\.\\d+\\): answered 200")
                    .contains("a login response, sent twice: answered 200")
                    .containsPattern("replay-races +126 +0 +126 ")
                    .contains("options of an unknown user: 404")
                    .contains("alg 'none'")
                    .contains("GOT THROUGH.");
            assertThat(lax.passkeysLeft()).as("what it left behind").isZero();
        }
    }

    @Test
    void a_service_where_strangers_can_lock_a_user_out_is_reported() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty(LaxRelyingParty.Limit.NAME)) {
            assertThat(run(lax.url(), "--only", "lock-out", "--rate", "1000")).isEqualTo(1);

            assertThat(printed())
                    .containsPattern("lock-out +2 +0 +2 +0")
                    .contains("options from before a stranger used the user's name: refused with 400")
                    .contains("after a stranger used the user's name: refused with 429, and other users are not");
        }
    }

    @Test
    void a_limit_on_the_address_is_not_reported_as_a_lock_out() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty(LaxRelyingParty.Limit.ADDRESS)) {
            assertThat(run(lax.url(), "--only", "lock-out", "--rate", "1000")).isZero();

            assertThat(printed())
                    .containsPattern("lock-out +1 +1 +0 +1")
                    .contains("the service refused this address, whatever the user");
        }
    }

    @Test
    void runs_only_the_groups_that_are_named() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            assertThat(run(lax.url(), "--only", "replays", "--rate", "1000")).isEqualTo(1);

            assertThat(printed()).contains("  replays ").doesNotContain("  sessions ");
        }
    }

    @Test
    void says_what_it_did_not_try() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            run(lax.url(), "--only", "replays,tampered-registrations", "--rate", "1000");

            assertThat(printed())
                    .containsPattern("not tried: tampered-registrations: [0-9]+ attempts: told only to those who trust")
                    .contains("Not tried: the groups replay-races, ", "floods from many addresses");
        }
    }

    @Test
    void ends_with_its_time_and_says_which_lies_were_not_told() {
        Target target = new Target(URI.create("http://127.0.0.1:9"), 1, 10);
        assertThat(target.isOver()).isFalse();
        target.shareUntil(System.nanoTime() + TimeUnit.HOURS.toNanos(1), 2);
        assertThat(target.isOver()).isFalse();
        target.shareUntil(System.nanoTime(), 2);
        assertThat(target.isOver()).isTrue();
        Scene scene = new Scene(target, "", null, null, null, "", 1, null, new Scene.Early());
        Score score = new Score("tampered-logins");

        new TamperedLogins().run(scene, score);

        assertThat(score.attempts()).isZero();
        assertThat(score.reasons()).singleElement().asString().contains("attempts: no time was left: raise");
    }

    @Test
    void stops_when_it_has_asked_as_often_as_it_may() throws IOException {
        try (LaxRelyingParty lax = new LaxRelyingParty()) {
            assertThat(run(lax.url(), "--most", "30")).isEqualTo(2);

            assertThat(err.toString(StandardCharsets.UTF_8)).contains("more requests than were allowed");
            assertThat(printed()).contains("Broken off after ").doesNotContain("Nothing got through");
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
                "http://localhost http://localhost",
                "localhost",
                ""
            })
    void refuses_what_is_not_this_machine_or_not_understood(String arguments) {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Usage: porchlight attack");
    }

    @Test
    void takes_ones_word_for_it_that_another_machine_is_ones_own() {
        AttackOptions options =
                AttackOptions.parse(List.of("https://login.example.com", "--i-own-this", "login.example.com"));

        assertThat(options.origin()).isEqualTo("https://login.example.com");
    }

    @Test
    void an_attack_on_a_dead_port_says_that_nothing_responds_there() throws IOException {
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
