// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.ServletRequestPathUtils;
import org.sqlite.SQLiteDataSource;

/** The routes of signed-in users in an application without Spring Security. */
class AccountRoutesTest {
    private static final PasskeyConfig CONFIG = new PasskeyConfig("Shop", "shop.example", "https://shop.example");
    private static final String CREDENTIALS = "/auth/passkey/credentials";
    private static final String TIME = SessionSignIn.class.getName() + ".time";

    @TempDir
    Path directory;

    private final SoftBrowser browser = new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey());
    private PasskeyService passkeys;
    private RouterFunction<ServerResponse> routes;
    private @Nullable MockHttpSession session;
    private String site = "same-origin";

    @BeforeEach
    void prepare() {
        var database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        Migration.run(database);
        passkeys = new PasskeyService(CONFIG, database, new MemoryChallengeStore());
        var configuration = new PasskeyRoutesAutoConfiguration();
        var times = configuration.signInTime();
        var users = new AccountUsers(passkeys, times, new RecentLogin(Duration.ofMinutes(5)));
        routes = configuration.passkeyRoutes(
                passkeys,
                CONFIG,
                configuration.registeringUser(users),
                configuration.passkeySignIn(),
                users,
                times,
                configuration.passkeySignOut());
        register("ada", browser);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /auth/session",
        "GET, /auth/passkey/credentials",
        "PATCH, /auth/passkey/credentials/AAAA",
        "DELETE, /auth/passkey/credentials/AAAA"
    })
    void a_visitor_gets_401(String method, String path) throws Exception {
        var response = send(method, path, method.equals("PATCH") ? "{\"name\":\"x\"}" : null);

        assertThat(response.getStatus()).isEqualTo(401);
        assertThat(response.getContentAsString()).contains("\"code\":\"unauthenticated\"");
    }

    @Test
    void a_user_sees_the_session_and_their_own_passkeys() throws Exception {
        register("grace", new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey()));
        signIn();

        assertThat(send("GET", "/auth/session", null).getContentAsString())
                .matches("\\{\"userId\":\"ada\",\"via\":\"session\",\"authTime\":\\d+}");
        assertThat(send("GET", CREDENTIALS, null).getContentAsString())
                .startsWith("{\"credentials\":[{\"credentialId\":\"" + id("ada") + "\"")
                .contains("\"allAcceptedCredentials\":{\"rpId\":\"shop.example\"")
                .doesNotContain(id("grace"));
    }

    @Test
    void a_passkey_of_another_user_is_not_found_and_stays() throws Exception {
        register("grace", new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey()));
        signIn();
        String path = CREDENTIALS + '/' + id("grace");

        assertThat(send("PATCH", path, "{\"name\":\"mine\"}").getStatus()).isEqualTo(404);
        assertThat(send("DELETE", path, null).getStatus()).isEqualTo(404);
        assertThat(send("DELETE", path + "?force=true", null).getStatus()).isEqualTo(404);
        assertThat(passkeys.passkeys("grace"))
                .singleElement()
                .extracting(CredentialRecord::name)
                .isNull();
    }

    @Test
    void a_passkey_is_renamed() throws Exception {
        signIn();
        String path = CREDENTIALS + '/' + id("ada");

        assertThat(send("PATCH", path, "{\"name\":\"blue key\"}").getContentAsString())
                .contains("\"name\":\"blue key\"");
        assertThat(send("PATCH", path, "{}").getStatus()).isEqualTo(400);
        assertThat(send("PATCH", path, "{\"name\":\"\"}").getStatus()).isEqualTo(400);
        assertThat(send("PATCH", path, null).getStatus()).isEqualTo(415);
        var other = send("PUT", path, null);
        assertThat(other.getStatus()).isEqualTo(405);
        assertThat(other.getHeader("Allow")).isEqualTo("PATCH, DELETE");
    }

    @Test
    void the_last_passkey_is_removed_only_by_force_and_ends_its_session() throws Exception {
        signIn();
        String path = CREDENTIALS + '/' + id("ada");

        var kept = send("DELETE", path, null);
        assertThat(kept.getStatus()).isEqualTo(409);
        assertThat(kept.getContentAsString()).contains("\"code\":\"last_credential\"");

        var removed = send("DELETE", path + "?force=true", null);
        assertThat(removed.getStatus()).isEqualTo(200);
        assertThat(removed.getContentAsString()).startsWith("{\"credentials\":[]");
        assertThat(session).isNull();
    }

    @Test
    void a_removed_passkey_ends_its_other_sessions_on_these_routes() throws Exception {
        register("ada", new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey()));
        signIn();

        passkeys.remove("ada", id("ada"), false); // the one of this session

        assertThat(send("GET", "/auth/session", null).getStatus()).isEqualTo(401);
        assertThat(send("GET", CREDENTIALS, null).getStatus()).isEqualTo(401);
        assertThat(send("GET", "/auth/passkey/register/options", null).getStatus())
                .isEqualTo(401);
    }

    @Test
    void adding_and_removing_require_a_recent_sign_in() throws Exception {
        register("ada", new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey()));
        signIn();
        String path = CREDENTIALS + '/' + passkeys.passkeys("ada").get(1).credentialId();
        session.setAttribute(
                TIME, System.currentTimeMillis() - Duration.ofMinutes(6).toMillis());

        for (var refused : List.of(
                send("DELETE", path, null),
                send("GET", "/auth/passkey/register/options", null),
                send("POST", "/auth/passkey/register/finish", "{}"))) {
            assertThat(refused.getStatus()).isEqualTo(403);
            assertThat(refused.getContentAsString()).contains("\"code\":\"recent_login_required\"");
        }
        assertThat(send("GET", CREDENTIALS, null).getStatus()).isEqualTo(200);
        assertThat(send("PATCH", path, "{\"name\":\"x\"}").getStatus()).isEqualTo(200);

        signIn();
        assertThat(send("DELETE", path, null).getStatus()).isEqualTo(200);
        assertThat(send("GET", "/auth/passkey/register/options", null).getStatus())
                .isEqualTo(200);
    }

    @Test
    void a_sign_in_of_unknown_time_is_not_recent_unless_the_user_has_no_passkey() throws Exception {
        session = new MockHttpSession();
        session.setAttribute(PasskeySession.class.getName() + ".userId", "ada");
        assertThat(send("GET", "/auth/passkey/register/options", null).getStatus())
                .isEqualTo(403);

        session.setAttribute(PasskeySession.class.getName() + ".userId", "grace");
        assertThat(send("GET", "/auth/passkey/register/options", null).getStatus())
                .isEqualTo(200);

        session.setAttribute(SessionSignIn.class.getName() + ".userId", "grace");
        session.setAttribute(TIME, 0L);
        var old = send("GET", "/auth/passkey/register/options", null);
        assertThat(old.getStatus()).isEqualTo(403);
        assertThat(old.getContentAsString()).contains("\"code\":\"sign_in_again\"");
    }

    @Test
    void the_time_of_another_users_sign_in_does_not_count() throws Exception {
        signIn();
        register("grace", new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey()));

        session.setAttribute(PasskeySession.class.getName() + ".userId", "grace");

        assertThat(send("DELETE", CREDENTIALS + '/' + id("grace"), null).getStatus())
                .isEqualTo(403);
    }

    @Test
    void requests_of_other_sites_change_nothing() throws Exception {
        signIn();
        String path = CREDENTIALS + '/' + id("ada");
        site = "cross-site";

        assertThat(send("PATCH", path, "{\"name\":\"x\"}").getStatus()).isEqualTo(403);
        assertThat(send("DELETE", path + "?force=true", null).getStatus()).isEqualTo(403);
        assertThat(send("POST", "/auth/logout", null).getStatus()).isEqualTo(403);
        assertThat(send("GET", CREDENTIALS, null).getStatus()).isEqualTo(403);
        assertThat(session.isInvalid()).isFalse();
        assertThat(passkeys.passkeys("ada")).hasSize(1);
    }

    @Test
    void a_session_ends_at_any_route_when_its_passkey_is_removed() throws Exception {
        register("ada", new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey()));
        signIn();
        var filter = new RemovedPasskeyFilter(
                () -> new AccountUsers(passkeys, new SessionSignIn(), new RecentLogin(Duration.ofMinutes(5))));
        passkeys.remove("ada", passkeys.passkeys("ada").get(1).credentialId(), false);
        var page = new MockHttpServletRequest("GET", "/orders");
        page.setSession(session);
        filter.doFilter(page, new MockHttpServletResponse(), new MockFilterChain());
        assertThat(session.isInvalid()).isFalse();

        passkeys.remove("ada", id("ada"), true);
        var next = new MockHttpServletRequest("GET", "/orders");
        next.setSession(session);
        var chain = new MockFilterChain();
        filter.doFilter(next, new MockHttpServletResponse(), chain);

        assertThat(session.isInvalid()).isTrue();
        assertThat(((MockHttpServletRequest) chain.getRequest()).getSession(false))
                .isNull();
    }

    @Test
    void a_session_is_refused_while_its_passkey_cannot_be_checked() throws Exception {
        signIn();
        var unreachable = new SQLiteDataSource();
        unreachable.setUrl("jdbc:sqlite:" + directory.resolve("missing/shop.db"));
        var broken = new PasskeyService(CONFIG, unreachable, new MemoryChallengeStore());
        var filter = new RemovedPasskeyFilter(
                () -> new AccountUsers(broken, new SessionSignIn(), new RecentLogin(Duration.ofMinutes(5))));
        var page = new MockHttpServletRequest("GET", "/orders");
        page.setSession(session);
        var response = new MockHttpServletResponse();
        var chain = new MockFilterChain();

        filter.doFilter(page, response, chain);

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(chain.getRequest()).isNull();
        assertThat(session.isInvalid()).isFalse();
    }

    @Test
    void sign_out_ends_the_session() throws Exception {
        signIn();
        var everywhere = send("POST", "/auth/logout?everywhere=true", null);
        assertThat(everywhere.getStatus()).isEqualTo(400);
        assertThat(everywhere.getContentAsString()).contains("\"code\":\"unsupported\"");
        assertThat(session.isInvalid()).isFalse();

        assertThat(send("POST", "/auth/logout", null).getStatus()).isEqualTo(204);

        assertThat(session).isNull();
        assertThat(send("POST", "/auth/logout", null).getStatus()).isEqualTo(204);
    }

    @Test
    void reports_of_browsers_are_accepted() throws Exception {
        assertThat(send("POST", "/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"dismissed\"}")
                        .getStatus())
                .isEqualTo(204);
        assertThat(send("POST", "/auth/passkey/report", "{\"ceremony\":\"a\\nb\"}")
                        .getStatus())
                .isEqualTo(204);
    }

    private void register(String userId, SoftBrowser device) {
        String options = passkeys.startRegistration(userId).toJson();
        assertThat(passkeys.finishRegistration(userId, device.create(options)).registered())
                .isTrue();
    }

    private String id(String userId) {
        return passkeys.passkeys(userId).get(0).credentialId();
    }

    private void signIn() throws Exception {
        String options =
                send("GET", "/auth/passkey/login/options?userId=ada", null).getContentAsString();
        assertThat(send("POST", "/auth/passkey/login/finish?userId=ada", browser.get(options))
                        .getStatus())
                .isEqualTo(200);
    }

    private MockHttpServletResponse send(String method, String path, @Nullable String body) throws Exception {
        String[] parts = path.split("[?=]", -1);
        var request = new MockHttpServletRequest(method, parts[0]);
        if (parts.length > 1) {
            request.setParameter(parts[1], parts[2]);
        }
        request.addHeader("Sec-Fetch-Site", site);
        if (body != null) {
            request.setContentType("application/json");
            request.setContent(body.getBytes(StandardCharsets.UTF_8));
        }
        if (session != null) {
            request.setSession(session);
        }
        var response = new MockHttpServletResponse();
        ServletRequestPathUtils.parseAndCache(request);
        var serverRequest = ServerRequest.create(request, List.of());
        routes.route(serverRequest).orElseThrow().handle(serverRequest).writeTo(request, response, () -> List.of());
        session = (MockHttpSession) request.getSession(false);
        return response;
    }
}
