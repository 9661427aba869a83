// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.spring.explain.Cause;
import dev.porchlight.spring.explain.RecentRefusals;
import dev.porchlight.spring.explain.Refusal;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.sqlite.SQLiteDataSource;

/** The routes in an application without Spring Security, with custom decisions about registration and login results. */
class PasskeyRoutesTest {
    private static final PasskeyConfig CONFIG = new PasskeyConfig("Shop", "shop.example", "https://shop.example");
    private static final String ADA = "?userId=ada";
    private static final Refusal OTHER = new Refusal(
            System.currentTimeMillis(), "ZZ-ZZZ", "other", "login", "ada", "", new Cause("timeout", "Slow."), "", "");
    private static final String SUPPORT_CODE = "KE-4QF"; // of the trace id below

    @TempDir
    Path directory;

    private final SoftBrowser browser = new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey());
    private final RecentRefusals refusals = new RecentRefusals(InstantSource.system());
    private RegisteringUser byDefault;
    private SQLiteDataSource database;
    private PasskeyService passkeys;
    private @Nullable MockHttpSession session;

    @BeforeEach
    void prepare() {
        database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        Migration.run(database);
        passkeys = new PasskeyService(CONFIG, database, new MemoryChallengeStore());
        byDefault = new AccountUsers(passkeys, new SessionSignIn(), new RecentLogin(Duration.ofMinutes(5)))::findRecent;
        String options = passkeys.startRegistration("ada").toJson();
        assertThat(passkeys.finishRegistration("ada", browser.create(options)).registered())
                .isTrue();
    }

    @AfterEach
    void close() {
        passkeys.close();
    }

    @Test
    void an_anonymous_client_cannot_register() throws Exception {
        var routes = routes(byDefault, new PasskeySession());

        for (var response : List.of(
                send(routes, "GET", "/auth/passkey/register/options", null),
                send(routes, "POST", "/auth/passkey/register/finish", "{}"))) {
            assertThat(response.getStatus()).isEqualTo(401);
            assertThat(response.getContentType()).isEqualTo("application/problem+json");
            assertThat(response.getContentAsString()).contains("\"code\":\"unauthenticated\"");
        }
    }

    @Test
    void an_application_exception_is_an_internal_error() throws Exception {
        RegisteringUser failing = request -> {
            throw new ResponseStatusException(HttpStatus.I_AM_A_TEAPOT);
        };

        var response = send(routes(failing, new PasskeySession()), "GET", "/auth/passkey/register/options", null);

        assertThat(response.getStatus()).isEqualTo(500);
        assertThat(response.getContentType()).isEqualTo("application/problem+json");
        assertThat(response.getContentAsString()).contains("\"code\":\"internal_error\"");
    }

    @Test
    void a_login_creates_a_session_that_can_register_another_passkey() throws Exception {
        var routes = routes(byDefault, new PasskeySession());
        assertThat(login(routes).getStatus()).isEqualTo(200);
        var device = new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey());

        String options =
                send(routes, "GET", "/auth/passkey/register/options", null).getContentAsString();
        String created = device.create(options);
        var registered = send(routes, "POST", "/auth/passkey/register/finish", created);
        var again = send(routes, "POST", "/auth/passkey/register/finish", created);

        assertThat(registered.getStatus()).isEqualTo(201);
        assertThat(registered.getContentAsString()).startsWith("{\"credentialId\":\"");
        assertThat(again.getStatus()).isEqualTo(400);
        assertThat(again.getContentAsString()).contains("\"code\":\"challenge_not_found\"");
        assertThat(passkeys.passkeys("ada")).hasSize(2);
    }

    @Test
    void an_existing_session_gets_a_new_id_and_keeps_its_attributes() throws Exception {
        var planted = new MockHttpSession();
        planted.setAttribute("cart", "a book");
        String before = planted.getId();
        session = planted;

        login(routes(byDefault, new PasskeySession()));

        assertThat(planted.isInvalid()).isFalse();
        assertThat(planted.getId()).isNotEqualTo(before);
        assertThat(planted.getAttribute("cart")).isEqualTo("a book");
    }

    @Test
    void a_session_of_another_user_is_invalidated() throws Exception {
        var others = new MockHttpSession();
        others.setAttribute(PasskeySession.class.getName() + ".userId", "grace");
        others.setAttribute("cart", "a book");
        session = others;

        login(routes(byDefault, new PasskeySession()));

        assertThat(others.isInvalid()).isTrue();
        assertThat(session.getAttribute("cart")).isNull();
    }

    @Test
    void a_login_can_return_a_token() throws Exception {
        var login = login(routes(byDefault, (proof, request, response) -> {
            response.addHeader("X-Seen", proof.userId());
            return PasskeySignIn.Outcome.token("signed for " + proof.userId());
        }));

        assertThat(login.getContentAsString()).isEqualTo("{\"token\":\"signed for ada\",\"userId\":\"ada\"}");
        assertThat(login.getHeader("X-Seen")).isEqualTo("ada");
        assertThat(login.getHeader("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void a_refusal_by_the_application_gets_the_common_response() throws Exception {
        var login = login(routes(byDefault, (proof, request, response) -> PasskeySignIn.Outcome.refused("locked")));

        assertThat(login.getStatus()).isEqualTo(401);
        assertThat(login.getContentAsString()).contains("Authentication failed").doesNotContain("locked");
    }

    @Test
    void the_support_code_of_a_refused_login_is_explained() throws Exception {
        String response = browser.get(passkeys.startAuthentication("ada").toJson());
        passkeys.remove("ada", passkeys.passkeys("ada").get(0).credentialId(), true);

        var login = sendTraced("/auth/passkey/login/finish" + ADA, response);

        assertThat(login.getStatus()).isEqualTo(401);
        assertThat(refusals.find(SUPPORT_CODE.toLowerCase(Locale.ROOT)))
                .singleElement()
                .satisfies(refusal -> {
                    assertThat(refusal.supportCode()).isEqualTo(SUPPORT_CODE);
                    assertThat(refusal.operation()).isEqualTo("login");
                    assertThat(refusal.user()).isEqualTo("ada");
                    assertThat(refusal.cause().code()).isEqualTo("unknown_credential");
                    assertThat(refusal.cause().what()).contains("not registered");
                    assertThat(refusal.cause().advice()).isNotEmpty();
                    assertThat(refusals.find(refusal.correlationId())).containsExactly(refusal);
                    assertThat(login.getContentAsString())
                            .contains(refusal.correlationId())
                            .doesNotContain("unknown_credential", "not registered");
                });
    }

    @Test
    void an_explanation_has_the_expected_and_the_found_value_and_the_property() throws Exception {
        var other = new SoftBrowser("https://www.shop.example", SoftAuthenticator.securityKey());
        String options = send(
                        routes(request -> "ada", new PasskeySession()), "GET", "/auth/passkey/register/options", null)
                .getContentAsString();

        sendTraced("/auth/passkey/register/finish", other.create(options));

        assertThat(refusals.find(SUPPORT_CODE)).singleElement().satisfies(refusal -> {
            assertThat(refusal.cause().code()).isEqualTo("origin_mismatch");
            assertThat(refusal.expected()).contains("https://shop.example");
            assertThat(refusal.found()).contains("https://www.shop.example");
            assertThat(refusal.cause().settings()).contains("porchlight.origin", "porchlight.related-origins");
        });
    }

    @Test
    void a_report_of_a_browser_is_explained_unless_the_application_refused() throws Exception {
        sendTraced("/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"waiting\"}");
        sendTraced("/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"blocked\"}");
        sendTraced("/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"timeout\"}");
        sendTraced("/auth/passkey/report", "{\"ceremony\":\"<b>\",\"outcome\":\"blocked\"}");

        assertThat(refusals.find(SUPPORT_CODE))
                .extracting(refusal -> refusal.cause().code())
                .containsExactly("waiting", "blocked");
    }

    @Test
    void a_page_at_a_wrong_address_gets_the_right_one_and_its_code_names_both() throws Exception {
        for (int times = 0; times < 2; times++) {
            var report = traced("POST", "/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"config\"}");
            report.addHeader("Origin", "http://127.0.0.1:8080");
            report.addHeader("Sec-Fetch-Site", "same-origin");

            var response = Requests.send(routes(request -> "ada", new PasskeySession()), report);

            assertThat(response.getStatus()).isEqualTo(403);
            assertThat(response.getContentAsString())
                    .contains("\"code\":\"cross_site\"", "\"origin\":\"https://shop.example\"");
        }

        assertThat(refusals.find(SUPPORT_CODE)).singleElement().satisfies(refusal -> {
            assertThat(refusal.operation()).isEqualTo("login");
            assertThat(refusal.cause().code()).isEqualTo("wrong_address");
            assertThat(refusal.cause().what()).contains("opened the page at a wrong address");
            assertThat(refusal.cause().advice()).contains("opens the expected address instead");
            assertThat(refusal.cause().settings()).containsExactly("porchlight.origin", "porchlight.related-origins");
            assertThat(refusal.expected()).isEqualTo("https://shop.example");
            assertThat(refusal.found()).isEqualTo("http://127.0.0.1:8080");
        });
    }

    @Test
    void a_sign_in_at_a_wrong_address_without_fetch_metadata_is_explained() throws Exception {
        var finish = traced("POST", "/auth/passkey/login/finish", "{}");
        finish.addHeader("Origin", "http://shop.internal:8080");
        finish.addHeader("Host", "shop.internal:8080");

        var response = Requests.send(routes(request -> "ada", new PasskeySession()), finish);

        assertThat(response.getContentAsString()).contains("\"origin\":\"https://shop.example\"");
        assertThat(refusals.find(SUPPORT_CODE))
                .extracting(refusal -> refusal.cause().code(), Refusal::operation)
                .containsExactly(tuple("wrong_address", "/auth/passkey/login/finish"));
    }

    @Test
    void a_page_of_another_site_does_not_get_the_address() throws Exception {
        for (String site : List.of("cross-site", "same-site", "")) {
            var report = traced("POST", "/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"config\"}");
            report.addHeader("Origin", "https://evil.example");
            report.addHeader("Host", "shop.example");
            if (!site.isEmpty()) {
                report.addHeader("Sec-Fetch-Site", site);
            }

            var response = Requests.send(routes(request -> "ada", new PasskeySession()), report);

            assertThat(response.getStatus()).isEqualTo(403);
            assertThat(response.getContentAsString()).doesNotContain("shop.example");
        }
        assertThat(refusals.find(SUPPORT_CODE))
                .extracting(refusal -> refusal.cause().code())
                .containsOnly("cross_site");
    }

    @Test
    void wrong_addresses_have_the_share_of_their_client() throws Exception {
        refusals.add("another address", OTHER);
        for (int times = 0; times < 300; times++) {
            var report = Requests.of("POST", "/auth/passkey/report", "{\"ceremony\":\"login\"}", null);
            report.addHeader("traceparent", "00-%07x%025d-00f067aa0ba902b7-01".formatted(times * 8, 1));
            report.addHeader("X-Correlation-ID", "wrong-address-" + times);
            report.addHeader("Origin", "http://127.0.0.1:8080");
            report.addHeader("Sec-Fetch-Site", "same-origin");
            Requests.send(routes(request -> "ada", new PasskeySession()), report);
        }

        assertThat(refusals.find(OTHER.supportCode())).containsExactly(OTHER);
        assertThat(refusals.find("wrong-address-299")).hasSize(1);
        assertThat(refusals.find("wrong-address-99")).isEmpty();
    }

    @Test
    void a_report_names_the_typed_user_to_operators() throws Exception {
        sendTraced(
                "/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"blocked\",\"userId\":\"ada.lovelase\"}");

        assertThat(refusals.find(SUPPORT_CODE)).extracting(Refusal::user).containsExactly("ada.lovelase");
    }

    @Test
    void a_dismissed_new_passkey_has_other_words_than_a_sign_in() throws Exception {
        sendTraced("/auth/passkey/report", "{\"ceremony\":\"registration\",\"outcome\":\"dismissed\"}");

        assertThat(refusals.find(SUPPORT_CODE))
                .extracting(refusal -> refusal.cause().what())
                .containsExactly("No passkey was created: the user closed the window.");
    }

    @Test
    void a_failed_request_of_any_route_is_explained() throws Exception {
        RegisteringUser failing = request -> {
            throw new IllegalStateException("secret of the application");
        };
        var request = traced("GET", "/auth/passkey/register/options", null);

        Requests.send(routes(failing, new PasskeySession()), request);

        assertThat(refusals.find(SUPPORT_CODE)).singleElement().satisfies(refusal -> {
            assertThat(refusal.cause().code()).isEqualTo("internal_error");
            assertThat(refusal.operation()).isEqualTo("/auth/passkey/register/options");
            assertThat(refusal.toString()).doesNotContain("secret");
        });
    }

    @Test
    void an_unavailable_store_is_503_and_a_bug_is_500_without_details() throws Exception {
        var routes = routes(byDefault, (proof, request, response) -> {
            throw new IllegalStateException("secret of the application");
        });
        var bug = login(routes);
        database.setUrl("jdbc:sqlite:" + directory.resolve("missing/shop.db"));
        var away = send(routes, "GET", "/auth/passkey/login/options" + ADA, null);

        assertThat(bug.getStatus()).isEqualTo(500);
        assertThat(bug.getContentAsString())
                .contains("\"code\":\"internal_error\"")
                .doesNotContain("secret");
        assertThat(away.getStatus()).isEqualTo(503);
        assertThat(away.getHeader("Retry-After")).isEqualTo("1");
        assertThat(away.getContentAsString())
                .contains("\"code\":\"storage_unavailable\"")
                .doesNotContain("missing");
    }

    @Test
    void a_malformed_query_is_a_client_error() throws Exception {
        var request = new MockHttpServletRequest("GET", "/auth/passkey/login/options") {
            @Override
            public String[] getParameterValues(String name) {
                throw new IllegalStateException("Character decoding failed");
            }
        };

        var response = Requests.send(routes(byDefault, new PasskeySession()), request);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContentAsString()).contains("\"code\":\"malformed_request\"");
    }

    @Test
    void a_firewall_that_refuses_a_header_sends_its_own_response() {
        var routes = routes(byDefault, new PasskeySession());
        for (String refused :
                List.of("Sec-Fetch-Site", "Origin", "Host", "Content-Encoding", "X-Correlation-ID", "traceparent")) {
            var rejection = new RequestRejectedException(refused);
            var request = new MockHttpServletRequest("POST", "/auth/passkey/login/finish") {
                @Override
                public String getHeader(String name) {
                    if (name.equals(refused)) {
                        throw rejection;
                    }
                    return super.getHeader(name);
                }
            };
            request.setContentType("application/json");

            assertThatThrownBy(() -> Requests.send(routes, request)).hasRootCause(rejection);
        }
    }

    private RouterFunction<ServerResponse> routes(RegisteringUser registering, PasskeySignIn signIn) {
        return new PasskeyRoutes(passkeys, CONFIG, registering, signIn, new RefusalLog(refusals)).router();
    }

    private MockHttpServletResponse sendTraced(String path, String body) throws Exception {
        return Requests.send(routes(request -> "ada", new PasskeySession()), traced("POST", path, body));
    }

    private MockHttpServletRequest traced(String method, String path, @Nullable String body) {
        var request = Requests.of(method, path, body, session);
        request.addHeader("traceparent", "00-9b8977abcdef01239b8977abcdef0123-00f067aa0ba902b7-01");
        return request;
    }

    private MockHttpServletResponse login(RouterFunction<ServerResponse> routes) throws Exception {
        String options =
                send(routes, "GET", "/auth/passkey/login/options" + ADA, null).getContentAsString();
        return send(routes, "POST", "/auth/passkey/login/finish" + ADA, browser.get(options));
    }

    private MockHttpServletResponse send(
            RouterFunction<ServerResponse> routes, String method, String path, @Nullable String body) throws Exception {
        var request = Requests.of(method, path, body, session);
        var response = Requests.send(routes, request);
        session = (MockHttpSession) request.getSession(false);
        return response;
    }
}
