// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which sessions are open after what, on two instances that share a database: what is done at one shows at the other at once.
 */
class SessionMatrixTest {
    private static final String NAME = "porchlight=";
    private static final String CHOSEN = NAME + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    private static final Duration LIFETIME = Duration.ofHours(12);

    private static Service one;
    private static Service other;

    /** What was done, and whether the session that it leaves to be tried is open. */
    private record Row(String session, Supplier<UnaryOperator<Web>> done, boolean open) {
        @Override
        public String toString() {
            return session + (open ? " is open" : " is closed");
        }
    }

    @BeforeAll
    static void start() {
        one = Service.on(TestDatabase.SQLITE);
        other = Service.at(one.databaseUrl());
    }

    @AfterAll
    static void stop() {
        other.close();
        one.close();
    }

    static Stream<Row> signingIn() {
        return Stream.of(
                open("one from a login", () -> bring(login(stranger()))),
                closed("one that was chosen before a login", () -> {
                    loginOver(CHOSEN, stranger());
                    return bring(CHOSEN);
                }),
                closed("another user's, planted before a login", () -> {
                    String planted = login(stranger());
                    loginOver(planted, stranger());
                    return bring(planted);
                }),
                closed("the former of this browser, after a second login", () -> {
                    Person person = stranger();
                    String former = login(person);
                    loginOver(former, person);
                    return bring(former);
                }),
                open("the new one of this browser, after a second login", () -> {
                    Person person = stranger();
                    return bring(loginOver(login(person), person));
                }),
                open("one in another browser, after a second login here", () -> {
                    Person person = stranger();
                    String elsewhere = login(person);
                    loginOver(login(person), person);
                    return bring(elsewhere);
                }),
                open("one after a refused login in its browser", () -> {
                    Person person = stranger();
                    String cookie = login(person);
                    here(cookie)
                            .post(Person.LOGIN_FINISH + Web.user(person.userId()), "{}")
                            .expectProblem(401, "authentication_failed");
                    return bring(cookie);
                }));
    }

    static Stream<Row> signingOut() {
        return Stream.of(
                closed("one after signing out", () -> {
                    String cookie = login(stranger());
                    here(cookie).post("/auth/logout").expect(204);
                    return bring(cookie);
                }),
                closed("one after signing out at the other instance", () -> {
                    String cookie = login(stranger());
                    there(cookie).post("/auth/logout").expect(204);
                    return bring(cookie);
                }),
                open("one in another browser, after signing out here", () -> {
                    Person person = stranger();
                    String elsewhere = login(person);
                    here(login(person)).post("/auth/logout").expect(204);
                    return bring(elsewhere);
                }),
                closed("one in another browser, after signing out everywhere", () -> {
                    Person person = stranger();
                    String elsewhere = login(person);
                    there(login(person)).post("/auth/logout?everywhere=true").expect(204);
                    return bring(elsewhere);
                }),
                open("somebody else's, after signing out everywhere", () -> {
                    String elses = login(stranger());
                    here(login(stranger())).post("/auth/logout?everywhere=true").expect(204);
                    return bring(elses);
                }),
                closed("one that its user ended from another browser", () -> {
                    Person person = stranger();
                    String cookie = login(person);
                    there(login(person))
                            .delete("/auth/sessions/" + shown(cookie))
                            .expect(204);
                    return bring(cookie);
                }),
                open("one that somebody else tried to end", () -> {
                    String cookie = login(stranger());
                    here(login(stranger()))
                            .delete("/auth/sessions/" + shown(cookie))
                            .expectProblem(404, "not_found");
                    return bring(cookie);
                }));
    }

    static Stream<Row> passkeys() {
        return Stream.of(
                closed("one whose passkey was removed", () -> {
                    Person first = stranger();
                    String cookie = login(first);
                    there(login(second(first, cookie)))
                            .delete(Person.CREDENTIALS + "/" + first.credentialId())
                            .expect(200);
                    return bring(cookie);
                }),
                open("one whose user removed another passkey", () -> {
                    Person first = stranger();
                    String cookie = login(first);
                    Person second = second(first, cookie);
                    there(login(second))
                            .delete(Person.CREDENTIALS + "/" + second.credentialId())
                            .expect(200);
                    return bring(cookie);
                }),
                closed("one whose user removed his last passkey", () -> {
                    Person person = stranger();
                    String cookie = login(person);
                    there(cookie)
                            .delete(Person.CREDENTIALS + "/" + person.credentialId() + "?force=true")
                            .expect(200);
                    return bring(cookie);
                }));
    }

    /** There is a lifetime, and no limit on idleness: as the pages say. */
    static Stream<Row> time() {
        return Stream.of(
                open("one that nobody used for all but a second of its lifetime", () -> {
                    String cookie = login(stranger());
                    pass(LIFETIME.minusSeconds(1));
                    return bring(cookie);
                }),
                closed("one at the end of its lifetime", () -> {
                    String cookie = login(stranger());
                    pass(LIFETIME);
                    return bring(cookie);
                }),
                closed("one at the end of its lifetime, though it was used every hour", () -> {
                    String cookie = login(stranger());
                    for (int hour = 0; hour < LIFETIME.toHours(); hour++) {
                        here(cookie).get("/auth/session").expect(200);
                        pass(Duration.ofHours(1));
                    }
                    return bring(cookie);
                }));
    }

    static Stream<Row> presented() {
        return Stream.of(
                closed("what the list of sessions shows", () -> bring(NAME + shown(login(stranger())))),
                closed("one with a letter more", () -> bring(login(stranger()) + "A")),
                closed("one with a letter less", () -> bring(shorter(login(stranger())))),
                closed("one under the name that https has", () -> bring("__Host-" + login(stranger()))),
                closed(
                        "one under its name in capitals",
                        () -> bring(login(stranger()).replace(NAME, NAME.toUpperCase(Locale.ROOT)))),
                closed("one as a token", () -> {
                    String id = login(stranger()).substring(NAME.length());
                    return web -> web.bearer(id);
                }),
                closed("one behind an empty one of its name", () -> bring(NAME + "; " + login(stranger()))),
                open("one among other cookies", () -> bring("a=b; " + login(stranger()) + "; c=d")),
                closed("one beside a wrong token", () -> {
                    String cookie = login(stranger());
                    return web -> web.with("Cookie", cookie).bearer("x.y.z");
                }),
                closed("a token as a cookie", () -> {
                    String token = stranger().login().expect(200).json().string("token");
                    return bring(NAME + token);
                }),
                closed(
                        "an enrollment as a cookie",
                        () -> bring(NAME + one.stranger().enrollmentToken())),
                closed("an empty one", () -> bring(NAME)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"signingIn", "signingOut", "passkeys", "time", "presented"})
    void a_session_is_open_or_closed_on_both_instances_at_once(Row row) {
        UnaryOperator<Web> brought = row.done().get();
        for (Service instance : List.of(other, one)) {
            TestResponse reply = brought.apply(instance.web()).get("/auth/session");

            if (row.open()) {
                assertThat(reply.expect(200).json().string("via")).isEqualTo("session");
            } else {
                reply.expectProblem(401, "unauthenticated");
            }
        }
    }

    @Test
    void every_login_has_an_id_of_its_own_whatever_the_browser_brought() {
        Person person = stranger();
        String first = login(person);
        String second = login(person);

        assertThat(List.of(first, second, loginOver(CHOSEN, person), loginOver(second, person)))
                .doesNotHaveDuplicates()
                .doesNotContain(CHOSEN)
                .allSatisfy(cookie -> assertThat(cookie).matches(NAME + "[A-Za-z0-9_-]{43}"));
    }

    @Test
    void the_browser_is_told_to_forget_a_session_that_was_ended() {
        TestResponse out = here(login(stranger())).post("/auth/logout").expect(204);

        assertThat(out.header("Set-Cookie")).startsWith("porchlight=; Max-Age=0;");
    }

    private static Row open(String session, Supplier<UnaryOperator<Web>> done) {
        return new Row(session, done, true);
    }

    private static Row closed(String session, Supplier<UnaryOperator<Web>> done) {
        return new Row(session, done, false);
    }

    private static Person stranger() {
        return one.stranger().enroll();
    }

    /** The same user at another authenticator. */
    private static Person second(Person first, String cookie) {
        Person second = one.person(first.userId(), SoftAuthenticator.securityKey());
        second.register(here(cookie)).expect(201);
        return second;
    }

    private static String login(Person person) {
        return Person.cookie(person.login().expect(200));
    }

    private static String loginOver(String cookie, Person person) {
        return Person.cookie(here(cookie)
                .post(Person.LOGIN_FINISH + Web.user(person.userId()), person.assertion())
                .expect(200));
    }

    private static UnaryOperator<Web> bring(String cookie) {
        return web -> web.with("Cookie", cookie);
    }

    private static Web here(String cookie) {
        return one.web().with("Cookie", cookie);
    }

    private static Web there(String cookie) {
        return other.web().with("Cookie", cookie);
    }

    /** The handle by which lists name the session. */
    private static String shown(String cookie) {
        return here(cookie).get("/auth/sessions").expect(200).json().objects("sessions").stream()
                .filter(session -> session.flag("current"))
                .map((JsonObject session) -> session.string("session"))
                .findFirst()
                .orElseThrow();
    }

    private static String shorter(String cookie) {
        return cookie.substring(0, cookie.length() - 1);
    }

    private static void pass(Duration time) {
        one.clock().advance(time);
        other.clock().advance(time);
    }
}
