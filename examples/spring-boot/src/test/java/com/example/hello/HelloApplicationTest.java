// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.porchlight.spring.security.PasskeyAuthentication;
import dev.porchlight.testkit.SoftAuthenticator;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;

/** The application's behavior for users and operators, over HTTP. */
class HelloApplicationTest {
    private final Hello hello = Hello.running();

    @Test
    void a_user_signs_in_with_a_password_once_and_then_with_a_passkey() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).withoutCookies();
        assertThat(ada.get("/hello").statusCode()).isEqualTo(302);

        HttpResponse<String> login = ada.signIn("?userId=ada");

        assertThat(login.statusCode()).isEqualTo(200);
        assertThat(login.body()).isEqualTo("{\"userId\":\"ada\"}");
        assertThat(login.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(ada.get("/hello").body()).isEqualTo("Hello ada");
    }

    @Test
    void a_user_signs_in_without_a_user_name() {
        Visitor ada = hello.ada(SoftAuthenticator.builder().build()).withoutCookies();

        assertThat(ada.signIn("").statusCode()).isEqualTo(200);
        assertThat(ada.get("/hello").body()).isEqualTo("Hello ada");
    }

    @Test
    void a_session_from_before_the_login_gets_a_new_id() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).withoutCookies();
        ada.get("/login");
        String planted = ada.session();

        ada.signIn("?userId=ada");

        assertThat(planted).isNotEmpty();
        assertThat(ada.session()).isNotEmpty().isNotEqualTo(planted);
    }

    @Test
    void a_csrf_token_from_before_the_login_is_invalid_after_it() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).withoutCookies();
        String before = ada.csrf();

        ada.signIn("?userId=ada");

        assertThat(ada.signOut(before).statusCode()).isEqualTo(403);
        assertThat(ada.get("/hello").statusCode()).isEqualTo(200);
        assertThat(ada.signOut(ada.csrf()).statusCode()).isEqualTo(302);
        assertThat(ada.get("/hello").statusCode()).isEqualTo(302);
    }

    @Test
    void a_login_publishes_an_authentication_event() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).withoutCookies();
        List<Object> logins = new CopyOnWriteArrayList<>();
        ApplicationListener<ApplicationEvent> listener = event -> {
            if (event instanceof AuthenticationSuccessEvent login) {
                logins.add(login.getAuthentication());
            }
        };
        var events = hello.bean(ApplicationEventMulticaster.class);
        events.addApplicationListener(listener);
        try {
            ada.signIn("?userId=ada");
        } finally {
            events.removeApplicationListener(listener);
        }

        assertThat(logins).hasAtLeastOneElementOfType(PasskeyAuthentication.class);
    }

    @Test
    void anonymous_users_see_the_page() {
        Visitor stranger = hello.visitor(SoftAuthenticator.securityKey());

        assertThat(stranger.get("/").body()).contains("<porchlight-signin");
        for (String module : List.of(
                "/porchlight.js",
                "/porchlight/account.js",
                "/porchlight/element.js",
                "/porchlight/signin-element.js",
                "/porchlight/account-element.js",
                "/porchlight/texts-de.js")) {
            HttpResponse<String> helper = stranger.get(module);
            assertThat(helper.statusCode()).as(module).isEqualTo(200);
            assertThat(helper.headers().firstValue("Content-Type").orElse("")).startsWith("text/javascript");
        }
        assertThat(stranger.get("/account.html").statusCode()).isEqualTo(302);
    }

    @Test
    void a_user_manages_their_passkeys_and_signs_out() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey());
        ada.signIn("?userId=ada");
        hello.ada(SoftAuthenticator.securityKey());
        String listing = ada.get("/auth/passkey/credentials").body();
        String last = listing.replaceAll(".*\"credentialId\":\"([^\"]+)\".*", "$1");

        assertThat(ada.change("PATCH", last, "{\"name\":\"blue key\"}").body()).contains("blue key");
        assertThat(ada.withoutCookies().change("DELETE", last, "").statusCode()).isEqualTo(401);
        assertThat(ada.change("DELETE", last, "").body())
                .doesNotContain("blue key")
                .contains("allAcceptedCredentials");

        assertThat(ada.get("/auth/session").body()).contains("\"userId\":\"ada\"", "\"authTime\":");
        assertThat(ada.post("/auth/logout", Visitor.JSON, "").statusCode()).isEqualTo(204);
        assertThat(ada.get("/auth/session").statusCode()).isEqualTo(401);
        assertThat(ada.get("/hello").statusCode()).isEqualTo(302);
    }

    @Test
    void removing_a_passkey_ends_its_sessions_on_the_applications_own_routes() {
        Visitor laptop = hello.ada(SoftAuthenticator.securityKey());
        String id = laptop.signedInWith();
        Visitor phone = hello.ada(SoftAuthenticator.securityKey());
        phone.signIn("?userId=ada");
        assertThat(laptop.get("/hello").statusCode()).isEqualTo(200);

        assertThat(phone.change("DELETE", id, "").statusCode()).isEqualTo(200);

        assertThat(laptop.get("/hello").statusCode()).isEqualTo(302);
        assertThat(phone.get("/hello").statusCode()).isEqualTo(200);
    }

    @Test
    void a_sign_in_with_a_password_counts_as_recent() {
        Visitor ada = hello.visitor(SoftAuthenticator.securityKey());
        ada.signInWithPassword("ada", Hello.PASSWORD);

        assertThat(ada.get("/auth/session").body()).contains("\"authTime\":");
        assertThat(ada.get("/auth/passkey/register/options").statusCode()).isEqualTo(200);
    }

    @Test
    void other_sites_cannot_sign_out_a_user() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey());
        var logout = ada.request("/auth/logout")
                .header("Origin", "https://evil.example")
                .POST(BodyPublishers.noBody());

        assertThat(ada.send(logout).statusCode()).isEqualTo(403);
        assertThat(ada.get("/hello").statusCode()).isEqualTo(200);
    }

    @Test
    void anonymous_users_cannot_register_a_passkey() {
        Visitor stranger = hello.visitor(SoftAuthenticator.securityKey());

        assertThat(stranger.get("/auth/passkey/register/options").statusCode()).isEqualTo(401);
        assertThat(stranger.finishRegistration("{}").statusCode()).isEqualTo(401);
    }

    @Test
    void a_passkey_of_an_unknown_account_cannot_sign_in() {
        Visitor grace = UnknownUsers.grace(hello, SoftAuthenticator.securityKey());

        HttpResponse<String> login = grace.signIn("?userId=grace");

        assertThat(login.statusCode()).isEqualTo(401);
        assertThat(grace.get("/hello").statusCode()).isEqualTo(302);
    }

    @Test
    void health_reports_the_storage() {
        Visitor ada = hello.visitor(SoftAuthenticator.securityKey());
        assertThat(ada.get("/actuator/health").body()).contains("\"UP\"").doesNotContain("passkey");

        assertThat(hello.operator().get("/actuator/health/passkey").body())
                .contains("\"status\":\"UP\"")
                .contains("\"tableVersion\":1");
    }

    @Test
    void ceremonies_are_counted_in_the_applications_registry() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey());
        ada.signIn("?userId=ada");
        ada.finishSignIn("?userId=ada", "{}");
        Visitor operator = hello.operator();

        assertThat(operator.get("/actuator/prometheus").body())
                .containsPattern("passkey_ceremonies_total\\{ceremony=\"login\",outcome=\"ok\",reason=\"\"} [1-9]")
                .containsPattern("passkey_ceremonies_total\\{ceremony=\"login\",outcome=\"refused\","
                        + "reason=\"malformed_response\"} [1-9]")
                .containsPattern(
                        "passkey_ceremonies_total\\{ceremony=\"registration\",outcome=\"ok\",reason=\"\"} [1-9]")
                .containsPattern("passkey_ceremony_duration_seconds_count\\{ceremony=\"login\",outcome=\"ok\"} [1-9]")
                .contains("passkey_suspicions_total{reason=\"sign_count\"} 0.0");
        assertThat(operator.get("/actuator/metrics/passkey.ceremonies").statusCode()).isEqualTo(200);
    }

    @Test
    void the_code_of_a_refused_login_is_logged_and_explained_to_operators() {
        Visitor ada = hello.visitor(SoftAuthenticator.securityKey());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        var logger = (Logger) LoggerFactory.getLogger("dev.porchlight.spring");
        log.start();
        logger.addAppender(log);
        try {
            var finish = ada.request("/auth/passkey/login/finish?userId=ada")
                    .header("Content-Type", Visitor.JSON)
                    .header("traceparent", "00-9b8977abcdef01239b8977abcdef0123-00f067aa0ba902b7-01")
                    .POST(BodyPublishers.ofString("{}"));
            assertThat(ada.send(finish).statusCode()).isEqualTo(401);
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list).singleElement().satisfies(line -> assertThat(line.getFormattedMessage())
                .startsWith("passkey login refused: malformed_response: The request body is not the JSON of a credential.")
                .contains("supportCode=KE-4QF, correlationId=")
                .doesNotContain("=\"\""));
        assertThat(ada.get("/actuator/passkeys/KE-4QF").statusCode()).isEqualTo(302); // not signed in
        Visitor operator = hello.operator();
        assertThat(operator.get("/actuator/passkeys/ke4qf").body())
                .contains("\"supportCode\":\"KE-4QF\"", "\"code\":\"malformed_response\"", "\"advice\":\"The page");
        assertThat(operator.get("/actuator/passkeys/AA-AAA").statusCode()).isEqualTo(404);
        HttpResponse<String> page = operator.get("/actuator/passkeys?code=KE-4QF");
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(page.body()).contains("<h2>The request body is not the JSON of a credential.</h2>");
        assertThat(operator.get("/actuator/passkeys").body()).contains("<form>");
    }

    @Test
    void only_operators_open_the_endpoints_of_actuator() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey());
        ada.signIn("?userId=ada");

        for (String path : List.of("/actuator/passkeys", "/actuator/passkeys/KE-4QF", "/actuator/metrics")) {
            assertThat(ada.get(path).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(ada.get("/actuator/health").statusCode()).isEqualTo(200);
        assertThat(hello.operator().get("/actuator/passkeys").statusCode()).isEqualTo(200);
    }

    @Test
    void a_mistyped_name_and_a_user_without_a_passkey_are_explained_to_operators() {
        Visitor ada = hello.visitor(SoftAuthenticator.securityKey());
        String report = "{\"ceremony\":\"login\",\"outcome\":\"blocked\",\"userId\":\"%s\"}";

        String mistyped = sendTraced(ada, "/auth/passkey/report", report.formatted("ada.lovelase"));
        String olga = sendTraced(ada, "/auth/passkey/report", report.formatted("olga"));

        Visitor operator = hello.operator();
        assertThat(operator.get("/actuator/passkeys/" + mistyped).body())
                .contains("\"user\":\"ada.lovelase\"", "There is no user with this name.");
        assertThat(operator.get("/actuator/passkeys?code=" + olga).body())
                .contains("No user with this name has a passkey here", "<dd dir=\"auto\">olga</dd>");
    }

    @Test
    void a_removed_passkey_is_explained_with_its_user() {
        Visitor ada = hello.ada(SoftAuthenticator.builder().build());
        String id = ada.signedInWith();
        String response = ada.browser().get(ada.signInOptions(""));
        assertThat(ada.change("DELETE", id + "?force=true", "").statusCode()).isEqualTo(200);

        String correlationId = sendTraced(ada.withoutCookies(), "/auth/passkey/login/finish", response);

        assertThat(hello.operator().get("/actuator/passkeys?code=" + correlationId).body())
                .contains("passkey was removed", "<dd dir=\"auto\">ada</dd>");
    }

    /** Sends JSON and returns the correlation id of the request. */
    private static String sendTraced(Visitor visitor, String path, String json) {
        var request = visitor.request(path).header("Content-Type", Visitor.JSON).POST(BodyPublishers.ofString(json));
        return visitor.send(request).headers().firstValue("X-Correlation-ID").orElseThrow();
    }
}
