// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
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
 * The state of sessions after each action, on two instances that share a database: a change at one is visible at the other at once.
 */
class SessionMatrixTest {
    private static final String NAME = "porchlight=";
    private static final String CHOSEN = NAME + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    private static final Duration LIFETIME = Duration.ofHours(12);

    private static Service one;
    private static Service other;

    /** An action, and whether the resulting session is open. */
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
                open("one from a login", () -> bring(login(newUser()))),
                closed("one chosen before a login", () -> {
                    loginOver(CHOSEN, newUser());
                    return bring(CHOSEN);
                }),
                closed("another user's, planted before a login", () -> {
                    String planted = login(newUser());
                    loginOver(planted, newUser());
                    return bring(planted);
                }),
                closed("the earlier one of this browser, after a second login", () -> {
                    Person person = newUser();
                    String earlier = login(person);
                    loginOver(earlier, person);
                    return bring(earlier);
                }),
                open("the new one of this browser, after a second login", () -> {
                    Person person = newUser();
                    return bring(loginOver(login(person), person));
                }),
                open("one in another browser, after a second login here", () -> {
                    Person person = newUser();
                    String elsewhere = login(person);
                    loginOver(login(person), person);
                    return bring(elsewhere);
                }),
                open("one after a refused login in its browser", () -> {
                    Person person = newUser();
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
                    String cookie = login(newUser());
                    here(cookie).post("/auth/logout").expect(204);
                    return bring(cookie);
                }),
                closed("one after signing out at the other instance", () -> {
                    String cookie = login(newUser());
                    there(cookie).post("/auth/logout").expect(204);
                    return bring(cookie);
                }),
                open("one in another browser, after signing out here", () -> {
                    Person person = newUser();
                    String elsewhere = login(person);
                    here(login(person)).post("/auth/logout").expect(204);
                    return bring(elsewhere);
                }),
                closed("one in another browser, after signing out everywhere", () -> {
                    Person person = newUser();
                    String elsewhere = login(person);
                    there(login(person)).post("/auth/logout?everywhere=true").expect(204);
                    return bring(elsewhere);
                }),
                open("another user's, after signing out everywhere", () -> {
                    String other = login(newUser());
                    here(login(newUser())).post("/auth/logout?everywhere=true").expect(204);
                    return bring(other);
                }),
                closed("one that its user ended from another browser", () -> {
                    Person person = newUser();
                    String cookie = login(person);
                    there(login(person))
                            .delete("/auth/sessions/" + shown(cookie))
                            .expect(204);
                    return bring(cookie);
                }),
                open("one that another user tried to end", () -> {
                    String cookie = login(newUser());
                    here(login(newUser()))
                            .delete("/auth/sessions/" + shown(cookie))
                            .expectProblem(404, "not_found");
                    return bring(cookie);
                }));
    }

    static Stream<Row> passkeys() {
        return Stream.of(
                closed("one whose passkey was removed", () -> {
                    Person first = newUser();
                    String cookie = login(first);
                    there(login(second(first, cookie)))
                            .delete(Person.CREDENTIALS + "/" + first.credentialId())
                            .expect(200);
                    return bring(cookie);
                }),
                open("one whose user removed another passkey", () -> {
                    Person first = newUser();
                    String cookie = login(first);
                    Person second = second(first, cookie);
                    there(login(second))
                            .delete(Person.CREDENTIALS + "/" + second.credentialId())
                            .expect(200);
                    return bring(cookie);
                }),
                closed("one whose user removed the last passkey", () -> {
                    Person person = newUser();
                    String cookie = login(person);
                    there(cookie)
                            .delete(Person.CREDENTIALS + "/" + person.credentialId() + "?force=true")
                            .expect(200);
                    return bring(cookie);
                }));
    }

    /** Sessions have a lifetime and no idle timeout, as the pages say. */
    static Stream<Row> time() {
        return Stream.of(
                open("one unused until a second before its lifetime ends", () -> {
                    String cookie = login(newUser());
                    pass(LIFETIME.minusSeconds(1));
                    return bring(cookie);
                }),
                closed("one at the end of its lifetime", () -> {
                    String cookie = login(newUser());
                    pass(LIFETIME);
                    return bring(cookie);
                }),
                closed("one at the end of its lifetime, though it was used every hour", () -> {
                    String cookie = login(newUser());
                    for (int hour = 0; hour < LIFETIME.toHours(); hour++) {
                        here(cookie).get("/auth/session").expect(200);
                        pass(Duration.ofHours(1));
                    }
                    return bring(cookie);
                }));
    }

    static Stream<Row> presented() {
        return Stream.of(
                closed("the handle in the list of sessions", () -> bring(NAME + shown(login(newUser())))),
                closed("one with an extra letter", () -> bring(login(newUser()) + "A")),
                closed("one without its last letter", () -> bring(shorter(login(newUser())))),
                closed("one under the https cookie name", () -> bring("__Host-" + login(newUser()))),
                closed(
                        "one under its name in upper case",
                        () -> bring(login(newUser()).replace(NAME, NAME.toUpperCase(Locale.ROOT)))),
                closed("one as a token", () -> {
                    String id = login(newUser()).substring(NAME.length());
                    return web -> web.bearer(id);
                }),
                closed("one after an empty cookie of the same name", () -> bring(NAME + "; " + login(newUser()))),
                open("one among other cookies", () -> bring("a=b; " + login(newUser()) + "; c=d")),
                closed("one with an invalid token", () -> {
                    String cookie = login(newUser());
                    return web -> web.with("Cookie", cookie).bearer("x.y.z");
                }),
                closed("a token as a cookie", () -> {
                    String token = newUser().login().expect(200).json().string("token");
                    return bring(NAME + token);
                }),
                closed(
                        "an enrollment as a cookie",
                        () -> bring(NAME + one.newUser().enrollmentToken())),
                closed("an empty one", () -> bring(NAME)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"signingIn", "signingOut", "passkeys", "time", "presented"})
    void a_session_is_open_or_closed_on_both_instances_at_once(Row row) {
        UnaryOperator<Web> brought = row.done().get();
        for (Service instance : List.of(other, one)) {
            TestResponse response = brought.apply(instance.web()).get("/auth/session");

            if (row.open()) {
                assertThat(response.expect(200).json().string("via")).isEqualTo("session");
            } else {
                response.expectProblem(401, "unauthenticated");
            }
        }
    }

    @Test
    void every_login_gets_a_new_session_id() {
        Person person = newUser();
        String first = login(person);
        String second = login(person);

        assertThat(List.of(first, second, loginOver(CHOSEN, person), loginOver(second, person)))
                .doesNotHaveDuplicates()
                .doesNotContain(CHOSEN)
                .allSatisfy(cookie -> assertThat(cookie).matches(NAME + "[A-Za-z0-9_-]{43}"));
    }

    @Test
    void an_ended_session_clears_its_cookie() {
        TestResponse out = here(login(newUser())).post("/auth/logout").expect(204);

        assertThat(out.header("Set-Cookie")).startsWith("porchlight=; Max-Age=0;");
    }

    private static Row open(String session, Supplier<UnaryOperator<Web>> done) {
        return new Row(session, done, true);
    }

    private static Row closed(String session, Supplier<UnaryOperator<Web>> done) {
        return new Row(session, done, false);
    }

    private static Person newUser() {
        return one.newUser().enroll();
    }

    /** The same user with another authenticator. */
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

    /** The handle that identifies the session in lists. */
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
