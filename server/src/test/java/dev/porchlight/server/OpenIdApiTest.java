// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The responses of OpenID Connect match the description of the service. */
class OpenIdApiTest {

    private Description description;

    @Test
    void every_response_matches_the_description() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            OpenIdClient client = OpenIdClient.register(service.admin(), ",\"consent\":true");
            description = new Description(service.web().get("/openapi.json").body());
            Web web = service.web().withListener(this::check);
            Web browser = service.newUser().enroll().bySession().withListener(this::check);
            String request = OpenIdClient.form(client.request());
            String metadata =
                    web.get("/.well-known/openid-configuration").expect(200).body();
            assertThat(web.get("/.well-known/oauth-authorization-server")
                            .expect(200)
                            .body())
                    .isEqualTo(metadata);

            web.get("/oauth2/authorize?" + request).expect(303);
            web.get("/oauth2/authorize?" + request + "&prompt=none").expect(200);
            web.get("/oauth2/authorize").expect(400);
            String sealed = OpenIdClient.sealed(form(web, "/oauth2/authorize", client.request()));
            web.get("/oauth2/request?request=" + sealed).expect(200);
            web.get("/oauth2/continue?request=" + sealed).expect(303);
            web.get("/oauth2/continue").expect(400);
            String asked = OpenIdFixture.consentForm(browser.get("/oauth2/continue?request=" + sealed));
            TestResponse agreed = form(browser, "/oauth2/consent", Map.of("request", asked, "decision", "agree"))
                    .expect(200);
            String code = agreed.body().replaceAll("(?s).*[?]code=([^&]+).*", "$1");

            Web authenticated = client.authenticated().withListener(this::check);
            JsonObject tokens = form(authenticated, "/oauth2/token", client.redeeming(code))
                    .expect(200)
                    .json();
            form(authenticated, "/oauth2/token", Map.of()).expect(400);
            form(web, "/oauth2/token", Map.of()).expect(401);
            form(authenticated, "/oauth2/par", client.request()).expect(201);
            Web bearer = web.bearer(tokens.string("access_token"));
            bearer.get("/oauth2/userinfo").expect(200);
            bearer.post("/oauth2/userinfo").expect(200);
            web.get("/oauth2/userinfo").expect(401);
            form(authenticated, "/oauth2/revoke", Map.of("token", tokens.string("refresh_token")))
                    .expect(200);
            for (String path : new String[] {"token", "revoke", "par", "userinfo"}) {
                web.send("OPTIONS", "/oauth2/" + path, null).expect(204);
            }
            String logout = "/oauth2/logout?id_token_hint=" + tokens.string("id_token");
            web.get(logout).expect(303);
            web.get(logout).expect(200);
            web.get("/oauth2/logout/complete").expect(303);
            form(web, "/oauth2/logout", Map.of("client_id", "unknown")).expect(400);
            form(web, "/oauth2/logout", Map.of()).expect(200);
            form(web, "/oauth2/logout/complete", Map.of()).expect(303);
        }
        assertThat(description.operations())
                .filteredOn(operation -> operation.contains(" /oauth2/"))
                .hasSizeGreaterThan(15)
                .allSatisfy(operation ->
                        assertThat(description.seen(operation)).as(operation).containsAnyOf(200, 201, 204, 303));
    }

    private void check(String request, TestResponse response) {
        description.check(request.replaceAll("[?].*", ""), response);
    }

    private static TestResponse form(Web web, String path, Map<String, String> parameters) {
        return web.postForm(path, parameters);
    }
}
