// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every documented refusal of OpenID Connect has its code in metric, log and trace. New codes are found by themselves. */
class OpenIdRefusalMatrixTest {
    private static final Path PAGE = Path.of(System.getProperty("porchlight.root"), "docs/guides/openid.md");
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z_]+)` \\| `[a-z_]+` \\|", Pattern.MULTILINE);

    @Test
    void every_code_is_in_metric_log_and_trace() throws IOException {
        Set<String> codes = ROW.matcher(Files.readString(PAGE))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        String metrics;
        String logs;
        try (Collector collector = new Collector()) {
            try (Service service =
                    Service.on(TestDatabase.SQLITE, "OTEL_EXPORTER_OTLP_ENDPOINT", collector.address())) {
                OpenIdClient client = OpenIdClient.register(service.admin(), "");
                refuseRequests(service, client);
                refuseUsers(service, client);
                refuseTokens(service, client);
                metrics = service.metrics();
                logs = service.logs();
            } // closing flushes the spans
            assertThat(found(metrics, "openid_requests_total\\{endpoint=\"[a-z]+\",result=\"([a-z_]+)\""))
                    .containsAll(codes);
            assertThat(found(logs, "\"reason\":\"([a-z_]+)\"")).containsAll(codes);
            assertThat(collector.spans().stream()
                            .flatMap(span -> span.getAttributesList().stream())
                            .filter(attribute -> attribute.getKey().equals("openid.refusal"))
                            .map(KeyValue::getValue)
                            .map(value -> value.getStringValue())
                            .collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(codes);
        }
    }

    private static Set<String> found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toSet());
    }

    private static void refuseRequests(Service service, OpenIdClient client) {
        for (List<String> wrong : List.of(
                List.of("client_id", "unknown"),
                List.of("redirect_uri", "https://typo.example/"),
                List.of("state", "ü"),
                List.of("response_type", "token"),
                List.of("response_mode", "fragment"),
                List.of("request", "eyJhbGciOiJub25lIn0.e30."),
                List.of("request_uri", "urn:ietf:params:oauth:request_uri:x"),
                List.of("scope", "profile"),
                List.of("code_challenge", ""),
                List.of("prompt", "create"),
                List.of("max_age", "-1"),
                List.of("id_token_hint", "eyJhbGciOiJub25lIn0.e30."),
                List.of("claims", "{\"id_token\":{\"sub\":{\"values\":[\"a\",\"b\"]}}}"))) {
            client.authorize(with(client.request(), wrong.get(0), wrong.get(1)));
        }
        service.web().get("/oauth2/authorize?" + OpenIdClient.form(client.request()) + "&nonce=2");
        service.web().get("/oauth2/continue?request=x");
        client.post(client.authenticated(), "/oauth2/par", client.request("request_uri", "x"));
        OpenIdClient pushing = OpenIdClient.register(service.admin(), ",\"requirePushedAuthorizationRequests\":true");
        pushing.authorize(pushing.request());
        service.web().get("/oauth2/logout?client_id=" + client.id() + "&post_logout_redirect_uri=https://x.example/");
    }

    private static void refuseUsers(Service service, OpenIdClient client) {
        Web browser = service.newUser().enroll().bySession();
        Map<String, String> silent = with(client.request(), "prompt", "none");
        client.signIn(service.web(), silent);
        client.signIn(browser, with(silent, "claims", "{\"id_token\":{\"sub\":{\"value\":\"someone-else\"}}}"));
        OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true");
        third.signIn(browser, with(third.request(), "prompt", "none"));
        OpenIdFixture.consent(browser, third.begin(third.request()), "deny");
        OpenIdClient limited = OpenIdClient.register(service.admin(), ",\"groups\":[\"staff\"]");
        OpenIdClient.proceed(browser, limited.begin(limited.request())).expect(403);

        Person member = service.newUser().enroll();
        String membership = "/admin/groups/staff/" + OpenIdFixture.encoded(member);
        service.admin().post(membership).expect(204);
        String refreshToken = refreshToken(limited, member);
        service.keepingSignIns(() -> {
            service.admin().delete(membership).expect(204);
            limited.refresh(refreshToken).expect(400);
        });
    }

    private static void refuseTokens(Service service, OpenIdClient client) {
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        client.post(service.web(), "/oauth2/token", Map.of("client_id", client.id()));
        client.token(Map.of("grant_type", "password"));
        client.redeem("x");
        client.refresh("x");
        client.userinfo("x");
        String code = client.code(browser);
        client.redeem(code).expect(200);
        client.redeem(code).expect(400);
        OpenIdClient.register(service.admin(), "").redeem(client.code(browser));
        client.token(with(client.redeeming(client.code(browser)), "redirect_uri", "https://x.example/"));
        client.token(with(client.redeeming(client.code(browser)), "code_verifier", "x".repeat(43)));
        client.post(client.authenticated().with("DPoP", "x"), "/oauth2/token", client.redeeming(client.code(browser)));
        String refreshToken = refreshToken(client, person);
        client.refresh(refreshToken).expect(200);
        client.refresh(refreshToken).expect(400);
        String last = refreshToken(client, person);
        service.keepingSignIns(() -> {
            service.admin()
                    .post("/admin/users/" + OpenIdFixture.encoded(person) + "/lock")
                    .expect(204);
            client.refresh(last).expect(400);
        });
    }

    private static String refreshToken(OpenIdClient client, Person person) {
        return client.redeem(client.code(person.bySession())).expect(200).json().string("refresh_token");
    }

    private static Map<String, String> with(Map<String, String> parameters, String name, String value) {
        Map<String, String> changed = new HashMap<>(parameters);
        changed.put(name, value);
        return changed;
    }
}
