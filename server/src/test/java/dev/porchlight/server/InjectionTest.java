// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.wire.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** What a stranger writes stays text: it makes no log line, no label and no header. */
class InjectionTest {
    private static final String PLANTED = "planted\r\n{\"level\":\"error\"}\u001b[31m\u2028";

    @Test
    void P44_hostile_text_never_becomes_a_log_line_a_label_or_a_header() {
        try (Service service = Service.on(TestDatabase.SQLITE, "LOG_LEVEL", "debug,jdk.internal.httpclient=warn")) {
            Person person = service.stranger().enrol();
            JsonObject assertion = JsonObject.parse(person.assertion());
            JsonObject response = assertion.object("response");
            JsonObject clientData = JsonObject.parse(new String(
                    Base64.getUrlDecoder().decode(response.string("clientDataJSON")), StandardCharsets.UTF_8));
            response.put(
                    "clientDataJSON", encoded(clientData.put("origin", PLANTED).toString()));
            person.finishLogin(assertion.toString()).expectProblem(401, "authentication_failed");
            response.put("userHandle", encoded(PLANTED));
            person.finishLogin(assertion.put("id", PLANTED).toString()).expectProblem(401, "authentication_failed");
            Reply unfit = service.web()
                    .post(
                            "/auth/signup",
                            new JsonObject().put("userId", PLANTED).toString());
            unfit.expectProblem(400, "malformed_request");
            service.web().get(Person.LOGIN_OPTIONS + Web.user(PLANTED)).expectProblem(400, "malformed_request");
            service.web()
                    .get(Person.LOGIN_OPTIONS + Web.user("planted {} \u2028"))
                    .expect(200);
            service.web().get("/planted%0D%0Aline").expectProblem(400, "malformed_request");

            assertThat(service.logs().lines()).allSatisfy(line -> JsonObject.parse(line));
            assertThat(service.logs().lines().filter(line -> line.startsWith("{\"level\":\"error\"")))
                    .isEmpty();
            assertThat(service.logs()).doesNotContain("\u001b");
            assertThat(service.metrics()).doesNotContain("planted");
            assertThat(unfit.headers().toString()).doesNotContain("planted");
        }
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
