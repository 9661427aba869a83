// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.spring.security.PasskeyAuthentication;
import dev.porchlight.testkit.SoftAuthenticator;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;

/** What people and operators get from the application, over HTTP. */
class HelloApplicationTest {
    private final Hello hello = Hello.running();

    @Test
    void a_password_once_then_a_passkey_and_never_the_password_again() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).afresh();
        assertThat(ada.get("/hello").statusCode()).isEqualTo(302);

        HttpResponse<String> login = ada.signIn("?userId=ada");

        assertThat(login.statusCode()).isEqualTo(200);
        assertThat(login.body()).isEqualTo("{\"userId\":\"ada\"}");
        assertThat(login.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(ada.get("/hello").body()).isEqualTo("Hello ada");
    }

    @Test
    void who_signs_in_need_not_say_who_he_is() {
        Visitor ada = hello.ada(SoftAuthenticator.builder().build()).afresh();

        assertThat(ada.signIn("").statusCode()).isEqualTo(200);
        assertThat(ada.get("/hello").body()).isEqualTo("Hello ada");
    }

    @Test
    void a_session_from_before_the_login_gets_another_id() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).afresh();
        ada.get("/login");
        String planted = ada.session();

        ada.signIn("?userId=ada");

        assertThat(planted).isNotEmpty();
        assertThat(ada.session()).isNotEmpty().isNotEqualTo(planted);
    }

    @Test
    void a_csrf_token_from_before_the_login_is_worth_nothing_after_it() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).afresh();
        String before = ada.csrf();

        ada.signIn("?userId=ada");

        assertThat(ada.signOut(before).statusCode()).isEqualTo(403);
        assertThat(ada.get("/hello").statusCode()).isEqualTo(200);
        assertThat(ada.signOut(ada.csrf()).statusCode()).isEqualTo(302);
        assertThat(ada.get("/hello").statusCode()).isEqualTo(302);
    }

    @Test
    void the_application_hears_of_a_login() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey()).afresh();
        List<Object> heard = new CopyOnWriteArrayList<>();
        ApplicationListener<ApplicationEvent> listener = event -> {
            if (event instanceof AuthenticationSuccessEvent login) {
                heard.add(login.getAuthentication());
            }
        };
        var events = hello.bean(ApplicationEventMulticaster.class);
        events.addApplicationListener(listener);
        try {
            ada.signIn("?userId=ada");
        } finally {
            events.removeApplicationListener(listener);
        }

        assertThat(heard).hasAtLeastOneElementOfType(PasskeyAuthentication.class);
    }

    @Test
    void strangers_see_the_page() {
        assertThat(hello.visitor(SoftAuthenticator.securityKey()).get("/").body()).contains("Sign in with a passkey");
    }

    @Test
    void nobody_registers_a_passkey_who_is_not_signed_in() {
        Visitor stranger = hello.visitor(SoftAuthenticator.securityKey());

        assertThat(stranger.get("/auth/passkey/register/options").statusCode()).isEqualTo(302);
        assertThat(stranger.finishRegistration("{}").statusCode()).isEqualTo(302);
    }

    @Test
    void a_passkey_of_somebody_whom_the_application_does_not_know_lets_nobody_in() {
        Visitor grace = Strangers.grace(hello, SoftAuthenticator.securityKey());

        HttpResponse<String> login = grace.signIn("?userId=grace");

        assertThat(login.statusCode()).isEqualTo(401);
        assertThat(grace.get("/hello").statusCode()).isEqualTo(302);
    }

    @Test
    void health_tells_of_the_storage() {
        Visitor ada = hello.visitor(SoftAuthenticator.securityKey());
        assertThat(ada.get("/actuator/health").body()).contains("\"UP\"").doesNotContain("passkey");

        ada.signInWithPassword("ada", Hello.PASSWORD);

        assertThat(ada.get("/actuator/health/passkey").body())
                .contains("\"status\":\"UP\"")
                .contains("\"tableVersion\":4");
    }

    @Test
    void ceremonies_are_counted_in_the_registry_of_the_application() {
        Visitor ada = hello.ada(SoftAuthenticator.securityKey());
        ada.signIn("?userId=ada");
        ada.finishSignIn("?userId=ada", "{}");
        ada.signInWithPassword("ada", Hello.PASSWORD);

        assertThat(ada.get("/actuator/prometheus").body())
                .containsPattern("passkey_ceremonies_total\\{ceremony=\"login\",outcome=\"ok\",reason=\"\"} [1-9]")
                .containsPattern("passkey_ceremonies_total\\{ceremony=\"login\",outcome=\"refused\","
                        + "reason=\"malformed_response\"} [1-9]")
                .containsPattern(
                        "passkey_ceremonies_total\\{ceremony=\"registration\",outcome=\"ok\",reason=\"\"} [1-9]")
                .containsPattern("passkey_ceremony_duration_seconds_count\\{ceremony=\"login\",outcome=\"ok\"} [1-9]")
                .contains("passkey_suspicions_total{reason=\"sign_count\"} 0.0");
        assertThat(ada.get("/actuator/metrics/passkey.ceremonies").statusCode()).isEqualTo(200);
    }
}
