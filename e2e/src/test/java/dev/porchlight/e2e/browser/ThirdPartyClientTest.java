// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.http.Response;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified third-party clients on a page of the relying party's origin. */
class ThirdPartyClientTest {
    private static final String POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeEach
    void openPage() throws IOException {
        browser.serve(Map.of(
                "/third-party",
                resource("text/html; charset=utf-8", "third-party.html"),
                "/third-party/page.js",
                resource("text/javascript", "third-party.js"),
                "/third-party/simplewebauthn.js",
                resource("text/javascript", "simplewebauthn/index.umd.min.js")));
        browser.open("/third-party");
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "native"})
    void the_client_registers_and_signs_in_with_and_without_a_user_id(String client) {
        assertThat(call(client, "register", "ada")).containsKey("credentialId");

        assertThat(claims(call(client, "logIn", "?userId=ada"))).contains("\"sub\":\"ada\"");
        assertThat(claims(call(client, "logIn", ""))).contains("\"sub\":\"ada\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "native"})
    void a_wrong_signature_is_refused(String client) {
        call(client, "register", "ada");
        browser.authenticator().setBogusSignatures(true);
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");

        assertThat(call(client, "logIn", "?userId=ada")).containsEntry("code", "authentication_failed");
    }

    @SuppressWarnings("unchecked") // JSON objects
    private Map<String, Object> call(String client, String function, String argument) {
        return (Map<String, Object>)
                browser.run("return " + client + "[arguments[0]](arguments[1])", function, argument);
    }

    private static String claims(Map<String, Object> response) {
        assertThat(response).containsKey("token");
        String payload = ((String) response.get("token")).split("\\.", -1)[1];
        return new String(Base64.getUrlDecoder().decode(payload), UTF_8);
    }

    private static Response resource(String type, String resource) throws IOException {
        try (var in = ThirdPartyClientTest.class.getResourceAsStream(resource)) {
            return Response.of(200, type, in.readAllBytes()).with("Content-Security-Policy", POLICY);
        }
    }
}
