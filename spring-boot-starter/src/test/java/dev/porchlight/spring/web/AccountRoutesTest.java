// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpSession;

/** The routes of signed-in users in an application without Spring Security. */
class AccountRoutesTest extends AccountFixture {
    private static final String CREDENTIALS = "/auth/passkey/credentials";
    private static final String TIME = SessionSignIn.class.getName() + ".time";

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
                .startsWith("{\"passkeys\":[{\"credentialId\":\"" + id("ada") + "\"")
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
                .extracting(it -> it.details().name())
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
        assertThat(removed.getContentAsString()).startsWith("{\"passkeys\":[]");
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
}
