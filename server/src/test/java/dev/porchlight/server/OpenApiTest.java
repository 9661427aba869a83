// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.auth.Role;
import dev.porchlight.server.http.Access;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The description matches the service's responses. */
class OpenApiTest extends OpenApiFixture {
    /** Endpoints that clients of OpenID Connect authenticate to. */
    private static final Pattern CLIENT =
            Pattern.compile("POST /oauth2/(token|revoke|par|userinfo)|GET /oauth2/userinfo");

    private static final String CREDENTIAL = "/auth/passkey/credentials/{credentialId}";

    @Test
    void the_description_lists_exactly_the_routes() throws Exception {
        start();

        assertThat(description.operations()).containsExactlyInAnyOrderElementsOf(mounted.keySet());
    }

    @Test
    void routes_that_the_configuration_leaves_out_are_not_described() throws Exception {
        start("LOGIN_RESULT", "token");

        assertThat(description.operations())
                .containsExactlyInAnyOrderElementsOf(mounted.keySet())
                .noneMatch(operation -> operation.contains(" /oauth2/"));
    }

    @Test
    void the_security_of_every_operation_matches_its_route() throws Exception {
        start();

        mounted.forEach((operation, access) -> assertThat(description.security(operation))
                .as(operation)
                .isEqualTo(
                        switch (access.credential()) {
                            case NONE -> Set.of();
                            case USER -> Set.of("bearer", "session");
                            case USER_OR_ENROLLMENT -> Set.of("bearer", "session", "enrollment");
                            case CLIENT -> Set.of("client", ""); // public clients have none
                            case CLIENT_TOKEN -> Set.of("openid");
                            case OPERATOR -> Set.of("admin", "session", ""); // none on localhost without ADMIN_TOKEN
                        }));
    }

    @Test
    void the_api_reference_lists_every_route_with_its_credential() throws Exception {
        start();
        Map<String, Set<String>> methods = new TreeMap<>();
        mounted.forEach((operation, access) -> {
            String[] route = operation.split(" ", 2);
            String credential = access.roles().isEmpty()
                    ? access.credential().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                    : access.roles().stream().sorted().map(Role::code).collect(Collectors.joining(", "));
            methods.computeIfAbsent("| `" + route[1] + "` | %s | " + credential + " |", key -> new TreeSet<>())
                    .add('`' + route[0] + '`');
        });

        Path page = Path.of(System.getProperty("porchlight.root"), "docs/reference/api.md");
        assertThat(Files.readString(page).lines().filter(line -> line.matches("\\| `/\\S*` \\| `[A-Z]+`.*")))
                .containsExactlyElementsOf(methods.entrySet().stream()
                        .map(row -> row.getKey().formatted(String.join(", ", row.getValue())))
                        .toList());
    }

    @Test
    void the_roles_of_every_operation_match_its_route() throws Exception {
        start();

        mounted.forEach((operation, access) -> assertThat(description.roles(operation))
                .as(operation)
                .containsExactlyInAnyOrderElementsOf(
                        access.roles().stream().map(Role::code).toList())
                .hasSameSizeAs(access.credential() == Access.Credential.OPERATOR ? access.roles() : Set.of()));
    }

    @Test
    void the_page_of_the_console_is_for_clients_with_admin_routes_only() throws Exception {
        start();

        assertThat(mounted.get("GET /console")).isSameAs(Access.CONSOLE_PAGE);
    }

    @Test
    void every_time_is_described_as_milliseconds() throws Exception {
        start();
        var times = Pattern.compile("\"(?:authTime|at|t|\\w+At)\":\\s*\\{\\s*\"type\":\\s*\"integer\"([^}]*)}")
                .matcher(service.get("/openapi.json").body())
                .results()
                .map(time -> time.group(1))
                .toList();

        assertThat(times).hasSizeGreaterThan(8).allMatch(text -> text.contains("\"milliseconds since 1970\""));
    }

    @Test
    void every_response_from_sign_up_to_sign_out_matches_the_description() throws Exception {
        start("SMTP_URL", "smtp://127.0.0.1:1", "MAIL_FROM", "porchlight@b.example");
        String enrollment =
                json(call("POST /auth/signup", "", "{\"userId\":\"ada\"}")).string("token");
        String options =
                call("GET /auth/passkey/register/options", enrollment, null).body();
        String response = browser.create(options);
        String id = json(call("POST /auth/passkey/register/finish", enrollment, response))
                .string("credentialId");
        call("POST /auth/passkey/register/finish", enrollment, response); // 400 or 401, its challenge is used

        String token = json(login()).string("token");
        JsonObject passkeys = json(call("GET /auth/passkey/credentials", token, null));
        assertThat(passkeys.objects("passkeys")).hasSize(1);
        call("PATCH " + CREDENTIAL, id, token, "{\"name\":\"blue key\"}");
        call("PATCH " + CREDENTIAL, "AAAA", token, "{\"name\":\"not mine\"}");
        call("DELETE " + CREDENTIAL, "AAAA", token, null);
        call("DELETE " + CREDENTIAL, id, token, null); // 409, it is the last
        call("POST /auth/signup", "", "{\"userId\":\"ada\"}"); // 409, the user exists

        call("GET /auth/profile", token, null);
        call("PATCH /auth/profile", token, "{\"name\":\"Ada\"}");
        call("PATCH /auth/profile", token, "{\"email\":\"ada@example.com\"}"); // 400, only operators set it
        call("POST /auth/profile/email/link", token, null);
        call("POST /auth/profile/email/verify", token, "{\"token\":\"unknown\"}"); // 409
        call("GET /auth/session", token, null);
        JsonObject sessions = json(call("GET /auth/sessions", token, null));
        String session = sessions.objects("sessions").get(0).string("session");
        call("DELETE /auth/sessions/{session}", session, token, null);
        call("DELETE /auth/sessions/{session}", session, token, null); // 404 by now
        call("POST /auth/passkey/devices", token, null);
        String code = json(call("POST /auth/recovery/codes", token, null))
                .get("codes")
                .toString()
                .substring(1, 30);
        call("POST /auth/recovery", "", "{\"userId\":\"ada\",\"code\":\"" + code + "\"}");
        call("POST /auth/recovery", "", "{\"userId\":\"ada\",\"code\":\"" + code + "\"}"); // 401, it is used
        call("GET /auth/recovery", token, null);
        call("DELETE /auth/recovery", token, null); // 404, none waits
        call("DELETE /admin/users/{userId}/recovery-codes", "ada", ADMIN, null);
        call("GET /auth/applications", token, null);
        call("DELETE /auth/applications/{clientId}", "app", token, null); // 404
        call("POST /auth/logout", token, null);
        call("DELETE " + CREDENTIAL, id + "?force=true", token, null);

        call("GET /admin/request", ADMIN, null);
        call("POST /admin/enrollments", ADMIN, "{\"userId\":\"grace\"}");
        for (String change : List.of("lock", "unlock", "sign-out")) {
            call("POST /admin/users/{userId}/" + change, "ada", ADMIN, null);
            call("POST /admin/users/{userId}/" + change, "unknown", ADMIN, null); // 404
        }
        administer();
        call("POST /auth/passkey/report", "", "{\"ceremony\":\"login\",\"outcome\":\"dismissed\",\"elapsedMs\":9}");
        call("GET /console/api/history", ADMIN, null);
        assertThat(json(call("GET /console/api/ceremonies", ADMIN, null)).objects("ceremonies"))
                .isNotEmpty();
        call("POST /console/api/explain", ADMIN, "{\"response\":\"{}\"}");
        call("POST /console/api/explain", ADMIN, "{\"code\":\"ZZ-ZZZ\"}"); // 404, an unknown code
        call("POST /auth/passkey/login/finish", "", "{}");
        String refused = json(call("GET /console/api/ceremonies", ADMIN, null)).objects("ceremonies").stream()
                .filter(ceremony -> ceremony.flag("kept"))
                .findFirst()
                .orElseThrow()
                .string("traceId");
        call("POST /console/api/explain", ADMIN, "{\"code\":\"" + refused + "\"}");
        call("GET /admin/ceremonies/{code}", refused, ADMIN, null);
        call("GET /admin/ceremonies/{code}", "ZZ-ZZZ", ADMIN, null); // 404
        description.check( // headers only, since its body does not end
                "GET /console/api/stream",
                service.send("HEAD", "/console/api/stream", "Authorization", "Bearer " + ADMIN));
        for (String operation : description.operations()) {
            if (operation.startsWith("GET /") && description.isForAnyone(operation)) {
                call(operation, "", null);
            }
        }
        call("GET /auth/passkey/login/options?userId=", "", null);
        call("GET /porchlight/{file}", "account.js", "", null);
        call("GET /assets/{file}", "porchlight.css", "", null);

        for (String operation : description.operations()) {
            if (!operation.contains(" /oauth2/")
                    && !operation.contains(" /auth/applications/") // OpenIdApiTest sees those
                    && !operation.equals("POST /auth/profile/email/verify") // needs a mailed link
                    && !operation.equals("DELETE /auth/recovery")) { // needs a recovery that waits
                assertThat(description.seen(operation)).as(operation).containsAnyOf(200, 201, 204);
            }
        }
        assertThat(description.seen("DELETE " + CREDENTIAL)).contains(200, 404, 409);
        assertThat(description.seen("POST /auth/signup")).contains(201, 409);
    }

    private void administer() throws Exception {
        String invited = json(call("POST /admin/enrollments", ADMIN, "{\"userId\":\"bob\"}"))
                .string("token");
        String options =
                call("GET /auth/passkey/register/options", invited, null).body();
        String id = json(call("POST /auth/passkey/register/finish", invited, browser.create(options)))
                .string("credentialId");
        call("GET /admin/users?limit=1", ADMIN, null);
        call("GET /admin/users?query=b", ADMIN, null);
        call("GET /admin/users/{userId}", "bob", ADMIN, null);
        call("GET /admin/audit?userId=bob", ADMIN, null);
        call("GET /admin/audit?limit=2", ADMIN, null);
        call("GET /admin/audit?action=registration&since=1&until=99999999999999&operator=local", ADMIN, null);
        for (String filter : List.of("action=none", "since=-1", "until=x")) {
            call("GET /admin/audit?" + filter, ADMIN, null); // 400
        }
        call("PATCH /admin/users/{userId}", "bob", ADMIN, "{\"groups\":[\"staff\"]}");
        call("PATCH /admin/users/{userId}", "no-one", ADMIN, "{\"groups\":[]}"); // 404
        call("PATCH /admin/users/{userId}", "bob", ADMIN, "{}"); // 400
        call("PATCH /admin/users/{userId}", "bob", ADMIN, "{\"email\":\"b@example.com\",\"claims\":{\"level\":1}}");
        call("PATCH /admin/users/{userId}", "bob", ADMIN, "{\"role\":\"auditor\"}");
        call("GET /admin/users/{userId}", "bob", ADMIN, null);
        call("PATCH /admin/users/{userId}", "bob", ADMIN, "{\"role\":null}");
        call("GET /admin/users?query=b@", ADMIN, null);
        String passkeys = "DELETE /admin/users/{userId}/passkeys/{credentialId}";
        for (String query : List.of("", "?force=true")) { // 409, then 204
            String bobs = "DELETE /admin/users/bob/passkeys/{credentialId}" + query;
            description.check(passkeys, send(bobs, id, ADMIN, null, "Accept", "*/*"));
        }
        assertThat(description.seen(passkeys)).contains(204, 409);
        administerOperators();
        call("DELETE /admin/users/{userId}", "bob", ADMIN, null);
        administerClients();
        administerWebhooks();
        administerMail();
    }

    private void administerMail() throws Exception {
        call("POST /admin/enrollments", ADMIN, "{\"userId\":\"mailed\",\"send\":true}"); // 409
        call("POST /admin/enrollments", ADMIN, "{\"userId\":\"mailed\",\"email\":\"m@b.example\",\"send\":true}");
        for (String csv : List.of("userId,email\\ncarol,c@b.example", "userId\\n\\\"")) { // 200, 400
            call("POST /admin/invitations", ADMIN, "{\"csv\":\"" + csv + "\"}");
        }
        String id = json(call("POST /admin/mail/test", ADMIN, "{\"to\":\"m@b.example\"}"))
                .string("deliveryId");
        call("POST /admin/mail/test", ADMIN, "{\"to\":\"m\"}"); // 400
        call("GET /admin/mail?limit=1", ADMIN, null);
        call("GET /admin/mail?after=x", ADMIN, null); // 400
        for (String mail : List.of(id, "unknown")) {
            call("POST /admin/mail/deliveries/{deliveryId}/redeliver", mail, ADMIN, null);
        }
    }

    private void administerWebhooks() throws Exception {
        String settings = "{\"url\":\"https://hooks.example/\",\"events\":[\"user.*\"]}";
        call("POST /admin/webhooks", ADMIN, "{\"url\":\"http://hooks.example/\"}"); // 400
        String id = json(call("POST /admin/webhooks", ADMIN, settings)).string("webhookId");
        call("GET /admin/webhooks", ADMIN, null);
        String one = "/admin/webhooks/{webhookId}";
        for (String webhook : List.of(id, "unknown")) {
            call("PATCH " + one, webhook, ADMIN, "{\"enabled\":false}");
            call("POST " + one + "/rotate-secret", webhook, ADMIN, null);
        }
        String message = json(call("POST " + one + "/test", id, ADMIN, null)).string("deliveryId");
        call("GET " + one, id, ADMIN, null);
        call("GET " + one + "?after=x", id, ADMIN, null); // 400
        String again = "/deliveries/{deliveryId}/redeliver";
        for (String delivery : List.of(message, "unknown")) {
            String path = "POST /admin/webhooks/" + id + again;
            description.check("POST " + one + again, send(path, delivery, ADMIN, null, "Accept", "*/*"));
        }
        call("DELETE " + one, id, ADMIN, null);
        call("DELETE " + one, id, ADMIN, null); // 404
    }

    private void administerOperators() throws Exception {
        call("GET /console/api/operator", ADMIN, null);
        for (String user : List.of("bob", "no-one")) { // 204, then 404
            call("POST /admin/operators", ADMIN, "{\"userId\":\"" + user + "\",\"role\":\"support\"}");
        }
        call("GET /admin/operators", ADMIN, null);
        call("DELETE /admin/operators/{userId}", "bob", ADMIN, null);
        call("DELETE /admin/operators/{userId}", "bob", ADMIN, null); // 404
        String token = "{\"name\":\"backend\",\"role\":\"support\",\"expiresAt\":99999999999999}";
        call("POST /admin/tokens", ADMIN, token);
        call("POST /admin/tokens", ADMIN, token); // 409
        call("POST /admin/tokens", ADMIN, token.replace("support", "none")); // 400
        call("GET /admin/tokens", ADMIN, null);
        call("DELETE /admin/tokens/{name}", "backend", ADMIN, null);
        call("DELETE /admin/tokens/{name}", "backend", ADMIN, null); // 404
    }

    private void administerClients() throws Exception {
        call("POST /admin/clients", ADMIN, CLIENT_SETTINGS); // 409
        call("GET /admin/clients", ADMIN, null);
        for (String client : List.of("app", "unknown")) {
            call("GET /admin/clients/{clientId}", client, ADMIN, null);
            call("GET /admin/clients/{clientId}/activity", client, ADMIN, null);
            call("PATCH /admin/clients/{clientId}", client, ADMIN, "{\"name\":\"App\"}");
            call("POST /admin/clients/{clientId}/rotate-secret", client, ADMIN, null);
        }
        String member = "/admin/groups/{group}/{userId}";
        for (String user : List.of("ada", "unknown")) {
            description.check(
                    "POST " + member, send("POST /admin/groups/staff/{userId}", user, ADMIN, null, "Accept", "*/*"));
        }
        assertThat(description.seen("POST " + member)).contains(204, 404);
        call("PATCH /admin/groups/{group}", "staff", ADMIN, "{\"claims\":{\"level\":1}}");
        call("GET /admin/groups", ADMIN, null);
        call("GET /admin/groups/{group}", "staff", ADMIN, null);
        description.check(
                "DELETE " + member, send("DELETE /admin/groups/staff/{userId}", "ada", ADMIN, null, "Accept", "*/*"));
        call("DELETE /admin/groups/{group}", "staff", ADMIN, null);
        call("DELETE /admin/groups/{group}", "staff", ADMIN, null); // 404
        call("POST /admin/clients", ADMIN, CLIENT_SETTINGS.replace("app", "other"));
        call("DELETE /admin/clients/{clientId}", "other", ADMIN, null);
    }

    @Test
    void every_common_refusal_is_described() throws Exception {
        start();
        String token = token();
        for (String operation : description.operations()) {
            Set<Integer> declared = description.statuses(operation);
            String bearer = operation.contains("/admin/") || operation.contains("/console/") ? ADMIN : token;
            assertThat(call(operation, "", description.takesBody(operation) ? "{}" : null)
                                    .statusCode()
                            == 401)
                    .as("without a token: " + operation)
                    .isEqualTo(!description.isForAnyone(operation)
                            || operation.endsWith("/login/finish")
                            || CLIENT.matcher(operation).matches());
            if (description.takesBody(operation)) {
                String type = description.bodyType(operation);
                assertThat(refusal(operation, bearer, type, "x".repeat(70_000))).isEqualTo(413);
                assertThat(refusal(operation, bearer, "text/plain", "{}")).isEqualTo(415);
                assertThat(refusal(operation, bearer, type, "{"))
                        .isIn(type.equals("application/json") ? Set.of(400) : Set.of(200, 303, 400, 401));
            }
            int crossSite = description
                    .check(operation, send(operation, "x", bearer, null, "Sec-Fetch-Site", "cross-site"))
                    .statusCode();
            assertThat(crossSite == 403).as("from another site: " + operation).isEqualTo(declared.contains(403));
        }
    }

    @Test
    void every_route_describes_its_405() throws Exception {
        start();
        for (String operation : description.operations()) {
            String path = operation.substring(operation.indexOf(' '));
            HttpResponse<String> refused = send("PUT" + path, "x", "", null, "Accept", "*/*");

            assertThat(description.check(operation, refused).statusCode())
                    .as(operation)
                    .isEqualTo(405);
            assertThat(refused.headers().firstValue("Allow")).isPresent();
        }
    }

    @Test
    void the_description_states_which_correlation_ids_are_replaced() throws Exception {
        start();
        JsonObject header = json(service.get("/openapi.json"))
                .object("components")
                .object("headers")
                .object("CorrelationId");
        assertThat(header.string("description")).contains("replaced with a generated id");
        Pattern kept = Pattern.compile(header.object("schema").string("pattern"));
        for (String id :
                List.of("abc-1", "a/b+c=@d:e_f.g", "<script>", "two words", "x".repeat(128), "x".repeat(129))) {
            HttpResponse<String> response = service.send(HttpRequest.newBuilder(service.uri("/health/live"))
                    .header("X-Correlation-ID", id)
                    .build());

            assertThat(response.headers().firstValue("X-Correlation-ID").orElse(""))
                    .matches(kept)
                    .satisfies(echoed -> assertThat(echoed.equals(id))
                            .isEqualTo(kept.matcher(id).matches()));
        }
    }

    @Test
    void rate_limited_routes_describe_429() throws Exception {
        start("RATE_LIMIT_PER_MINUTE", "1");
        for (int i = 0; i < 3; i++) {
            call("GET /auth/passkey/login/options", "", null);
        }
        call("POST /auth/passkey/login/finish", "", "{}"); // leaves a debt, so that the refill changes nothing here
        call("GET /admin/request", "a guess", null); // operators have a separate budget
        for (int i = 0; i < 5; i++) { // reports have a separate budget too
            call("POST /auth/passkey/report", "", "{\"ceremony\":\"login\",\"outcome\":\"ok\"}");
        }
        for (String operation : description.operations()) {
            for (int i = 0; i < 4 && operation.contains(" /oauth2/"); i++) { // and so do applications
                call("GET /oauth2/authorize", "", null);
            }
            boolean limited = call(operation, "", description.takesBody(operation) ? "{}" : null)
                            .statusCode()
                    == 429;
            assertThat(limited)
                    .as(operation)
                    .isEqualTo(description.statuses(operation).contains(429));
        }
    }
}
