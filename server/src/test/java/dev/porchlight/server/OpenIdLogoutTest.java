// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logout by a client, and back-channel logout: clients that registered for it learn that a session has ended. */
class OpenIdLogoutTest {
    /** Statuses of the next responses of the client; 200 when empty. */
    private static final BlockingQueue<Integer> STATUSES = new LinkedBlockingQueue<>();

    private static final BlockingQueue<String> NOTICES = new LinkedBlockingQueue<>();

    private static HttpServer receiver;
    private static Service service;
    private static OpenIdClient client;

    @BeforeAll
    static void start() throws Exception {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/logout", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
            NOTICES.add(URLDecoder.decode(body.replace("logout_token=", ""), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(Objects.requireNonNullElse(STATUSES.poll(), 200), -1);
            exchange.close();
        });
        receiver.start();
        service = Service.on(TestDatabase.SQLITE);
        client = OpenIdClient.register(service.admin(), ",\"backChannelLogoutUri\":" + uri());
    }

    /** Where notices arrive, as JSON. */
    private static String uri() {
        return "\"http://127.0.0.1:" + receiver.getAddress().getPort() + "/logout\"";
    }

    @AfterAll
    static void stop() {
        service.close();
        receiver.stop(0);
    }

    private static JWTClaimsSet notice() throws Exception {
        SignedJWT token =
                SignedJWT.parse(Objects.requireNonNull(NOTICES.poll(Patience.SECONDS, TimeUnit.SECONDS), "no notice"));
        assertThat(token.getHeader().getType().getType()).isEqualTo("logout+jwt");
        return token.getJWTClaimsSet();
    }

    @Test
    void a_notice_that_fails_is_retried_and_counted() throws Exception {
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();
        STATUSES.add(503);

        browser.post("/auth/logout").expect(204);

        JWTClaimsSet first = notice();
        assertThat(first.getSubject()).isEqualTo(service.subject(person));
        assertThat(first.getAudience()).containsExactly(client.id());
        assertThat(first.getStringClaim("sid"))
                .isEqualTo(SignedJWT.parse(tokens.string("id_token"))
                        .getJWTClaimsSet()
                        .getStringClaim("sid"));
        assertThat(first.getJSONObjectClaim("events"))
                .containsOnlyKeys("http://schemas.openid.net/event/backchannel-logout");
        assertThat(first.getClaim("nonce")).isNull();
        assertThat(notice().getSubject()).isEqualTo(service.subject(person));
        assertThat(service.metrics()).contains("openid_logout_notices_total{result=\"retried\"} 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "sign-out"})
    void a_locked_or_signed_out_user_is_signed_out_of_clients(String change) throws Exception {
        Person person = service.newUser().enroll();
        client.redeem(client.code(person.bySession())).expect(200);

        service.admin()
                .post("/admin/users/" + person.userId().replace(" ", "%20") + "/" + change)
                .expect(204);

        assertThat(notice().getSubject()).isEqualTo(service.subject(person));
    }

    @Test
    void a_removed_passkey_signs_out_of_clients() throws Exception {
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        client.redeem(client.code(browser)).expect(200);

        browser.delete("/auth/passkey/credentials/" + person.credentialId() + "?force=true")
                .expect(200);

        assertThat(notice().getSubject()).isEqualTo(service.subject(person));
    }

    @Test
    void signing_out_everywhere_signs_out_of_clients() throws Exception {
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        client.redeem(client.code(browser)).expect(200);

        browser.post("/auth/logout?everywhere=true").expect(204);

        assertThat(notice().getSubject()).isEqualTo(service.subject(person));
    }

    @Test
    void a_client_is_notified_once_of_each_session_in_which_it_got_tokens() throws Exception {
        Web without = service.newUser().enroll().bySession();
        client.code(without); // not redeemed
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        for (int i = 0; i < 3; i++) {
            client.redeem(client.code(browser)).expect(200);
        }
        client.code(browser);
        Person last = service.newUser().enroll();
        Web lastBrowser = last.bySession();
        client.redeem(client.code(lastBrowser)).expect(200);

        without.post("/auth/logout").expect(204);
        browser.post("/auth/logout").expect(204);
        assertThat(notice().getSubject()).isEqualTo(service.subject(person));
        lastBrowser.post("/auth/logout").expect(204);

        assertThat(notice().getSubject()).isEqualTo(service.subject(last));
    }

    @Test
    void revoking_a_consent_signs_out_of_the_client() throws Exception {
        OpenIdClient third =
                OpenIdClient.register(service.admin(), ",\"consent\":true,\"backChannelLogoutUri\":" + uri());
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        String page = OpenIdFixture.consent(browser, third.begin(third.request()), "agree");
        third.redeem(page.replaceAll("(?s).*[?]code=([^&]+).*", "$1")).expect(200);

        browser.delete("/auth/applications/" + third.id()).expect(204);

        JWTClaimsSet notice = notice();
        assertThat(notice.getSubject()).isEqualTo(service.subject(person));
        assertThat(notice.getAudience()).containsExactly(third.id());
    }

    @Test
    void signing_in_again_ends_the_tokens_of_the_replaced_session() throws Exception {
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();

        browser.post(Person.LOGIN_FINISH + Web.user(person.userId()), person.assertion())
                .expect(200);

        assertThat(notice().getSubject()).isEqualTo(service.subject(person));
        client.refresh(tokens.string("refresh_token")).expect(400);
    }

    @Test
    void a_token_of_the_service_does_not_sign_in_to_a_client() {
        Person person = service.newUser().enroll();

        TestResponse response = OpenIdClient.proceed(person.byToken(), client.begin(client.request()));

        assertThat(response.header("Location")).startsWith("/?request=");
    }

    @Test
    void logout_with_an_id_token_ends_its_session_and_returns_to_the_client() {
        OpenIdClient leaving = OpenIdClient.register(service.admin(), ",\"logoutUris\":[\"https://app.example/bye\"]");
        Web browser = service.newUser().enroll().bySession();
        JsonObject tokens = leaving.redeem(leaving.code(browser)).expect(200).json();
        Map<String, String> request = Map.of(
                "id_token_hint",
                tokens.string("id_token"),
                "post_logout_redirect_uri",
                "https://app.example/bye",
                "state",
                "s 1");

        TestResponse response = service.web()
                .get("/oauth2/logout?" + OpenIdClient.form(request))
                .expect(303);

        assertThat(response.header("Location")).isEqualTo("https://app.example/bye?state=s+1");
        browser.get("/auth/session").expectProblem(401, "unauthenticated");
        leaving.refresh(tokens.string("refresh_token")).expect(400);
    }

    @Test
    void logout_without_an_id_token_asks_and_signs_no_one_else_out() {
        OpenIdClient leaving = OpenIdClient.register(service.admin(), ",\"logoutUris\":[\"https://app.example/bye\"]");
        Web browser = service.newUser().enroll().bySession().with("Sec-Fetch-Site", "same-origin");
        TestResponse first = service.web()
                .get("/oauth2/logout?post_logout_redirect_uri=https://app.example/bye&client_id=" + leaving.id());

        String page = browser.get(next(first)).expect(200).body();

        browser.get("/auth/session").expect(200);
        Map<String, String> form =
                Map.of("request", page.replaceAll("(?s).*name=\"request\" value=\"([^\"]+)\".*", "$1"));
        Web other = service.newUser().enroll().bySession().with("Sec-Fetch-Site", "same-origin");
        other.postForm("/oauth2/logout/complete", form);
        other.get("/auth/session").expect(200);
        assertThat(browser.postForm("/oauth2/logout/complete", form).expect(200).body())
                .contains("url=https://app.example/bye");
        browser.get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void logout_without_parameters_asks_too_and_needs_no_session() {
        Web browser = service.newUser().enroll().bySession();
        TestResponse first = service.web().get("/oauth2/logout");

        assertThat(browser.with("Sec-Fetch-Site", "same-origin")
                        .get(next(first))
                        .expect(200)
                        .body())
                .contains("Stay signed in");
        assertThat(complete(service.web(), first).header("Location")).isEqualTo("/#signed-out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example/", "https://app.example/bye/../x"})
    void logout_returns_to_registered_uris_only(String uri) {
        OpenIdClient leaving = OpenIdClient.register(service.admin(), ",\"logoutUris\":[\"https://app.example/bye\"]");

        service.web()
                .get("/oauth2/logout?"
                        + OpenIdClient.form(Map.of("client_id", leaving.id(), "post_logout_redirect_uri", uri)))
                .expect(400);
    }

    /** The browser after another sign-in of its user. */
    private static Web again(Person person, Web browser) {
        TestResponse login = browser.post(Person.LOGIN_FINISH + Web.user(person.userId()), person.assertion())
                .expect(200);
        return service.web().with("Cookie", Person.cookie(login));
    }

    private static String logoutRequest(OpenIdClient of, JsonObject tokens, String more) {
        return "/oauth2/logout?id_token_hint=" + tokens.string("id_token") + "&client_id=" + of.id() + more;
    }

    /** The step that the page of the first one leads to, which a browser takes with its cookie. */
    private static TestResponse complete(Web browser, TestResponse first) {
        return browser.with("Sec-Fetch-Site", "same-origin").get(next(first)).expect(303);
    }

    private static String next(TestResponse first) {
        String path = first.expect(200).body().replaceAll("(?s).*url=([^\"]+)\".*", "$1");
        assertThat(path).startsWith("/oauth2/logout/complete?request=");
        return path;
    }

    @Test
    void logout_with_the_token_of_a_replaced_session_ends_the_later_one() {
        OpenIdClient leaving = OpenIdClient.register(service.admin(), ",\"logoutUris\":[\"https://app.example/bye\"]");
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        JsonObject tokens = leaving.redeem(leaving.code(browser)).expect(200).json();
        Web later = again(person, browser);
        JsonObject newer = leaving.redeem(leaving.code(later)).expect(200).json();

        TestResponse first = service.web().get(logoutRequest(leaving, tokens, ""));
        later.get("/auth/session").expect(200); // only its own browser can end it

        assertThat(complete(later, first).header("Location")).isEqualTo("/#signed-out");
        later.get("/auth/session").expectProblem(401, "unauthenticated");
        leaving.refresh(newer.string("refresh_token")).expect(400);
        TestResponse repeated =
                service.web().get(logoutRequest(leaving, tokens, "&post_logout_redirect_uri=https://app.example/bye"));
        assertThat(complete(later, repeated).header("Location")).isEqualTo("https://app.example/bye");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void logout_with_the_token_of_an_ended_session_leaves_another_user_signed_in(boolean erased) {
        OpenIdClient leaving = OpenIdClient.register(service.admin(), ",\"logoutUris\":[\"https://app.example/bye\"]");
        Person person = service.newUser().enroll();
        Web gone = person.bySession();
        JsonObject tokens = leaving.redeem(leaving.code(gone)).expect(200).json();
        if (erased) {
            service.admin()
                    .delete("/admin/users/" + OpenIdFixture.encoded(person))
                    .expect(204);
        } else {
            gone.post("/auth/logout").expect(204);
        }
        Web other = service.newUser().enroll().bySession();

        TestResponse first = service.web().get(logoutRequest(leaving, tokens, ""));
        assertThat(complete(other, first).header("Location")).isEqualTo("/account");
        TestResponse returning =
                service.web().get(logoutRequest(leaving, tokens, "&post_logout_redirect_uri=https://app.example/bye"));
        assertThat(complete(other, returning).header("Location")).isEqualTo("https://app.example/bye");

        other.get("/auth/session").expect(200);
    }

    @Test
    void only_pages_of_the_service_complete_a_logout() {
        Web browser = service.newUser().enroll().bySession();

        browser.with("Sec-Fetch-Site", "cross-site")
                .get("/oauth2/logout/complete?request=x")
                .expectProblem(403, "cross_site");
        assertThat(browser.get("/oauth2/logout/complete?request=forged")
                        .expect(303)
                        .header("Location"))
                .isEqualTo("/account");
        browser.get("/auth/session").expect(200);
    }
}
