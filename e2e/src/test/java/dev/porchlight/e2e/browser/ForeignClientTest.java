// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.http.Response;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that know nothing of Porchlight, as they are, on a page of the relying party's origin. */
@Timeout(120)
class ForeignClientTest {
    private static final String POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeEach
    void openThePage() throws IOException {
        browser.serve(Map.of(
                "/foreign",
                answer("text/html; charset=utf-8", "foreign.html"),
                "/foreign/page.js",
                answer("text/javascript", "foreign.js"),
                "/foreign/simplewebauthn.js",
                answer("text/javascript", "simplewebauthn/index.umd.min.js")));
        browser.open("/foreign");
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "native"})
    void registers_and_logs_in_with_and_without_a_user_id(String client) {
        assertThat(answer(client, "register", "ada")).containsKey("credentialId");

        assertThat(subject(answer(client, "logIn", "?userId=ada"))).contains("\"sub\":\"ada\"");
        assertThat(subject(answer(client, "logIn", ""))).contains("\"sub\":\"ada\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "native"})
    void is_refused_with_a_wrong_signature(String client) {
        answer(client, "register", "ada");
        browser.authenticator().signsWrongly(true);
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");

        assertThat(answer(client, "logIn", "?userId=ada")).containsEntry("code", "authentication_failed");
    }

    @SuppressWarnings("unchecked") // JSON objects
    private Map<String, Object> answer(String client, String function, String argument) {
        return (Map<String, Object>)
                browser.run("return " + client + "[arguments[0]](arguments[1])", function, argument);
    }

    private static String subject(Map<String, Object> answer) {
        assertThat(answer).containsKey("token");
        String claims = ((String) answer.get("token")).split("\\.", -1)[1];
        return new String(Base64.getUrlDecoder().decode(claims), UTF_8);
    }

    private static Response answer(String type, String resource) throws IOException {
        try (var in = ForeignClientTest.class.getResourceAsStream(resource)) {
            return Response.of(200, type, in.readAllBytes()).with("Content-Security-Policy", POLICY);
        }
    }
}
