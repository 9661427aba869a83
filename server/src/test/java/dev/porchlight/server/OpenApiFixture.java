// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.http.Access;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A service with a client of OpenID Connect, its description, and requests whose responses are checked against it. */
abstract class OpenApiFixture {
    static final String ADMIN = "an admin token for tests";
    static final String CLIENT_SETTINGS = "{\"clientId\":\"app\",\"redirectUris\":[\"https://app.example/\"]}";
    private static final String ORIGIN = "http://localhost";

    @TempDir
    Path data;

    final Map<String, Access> mounted = new TreeMap<>();
    final SoftBrowser browser = new SoftBrowser(ORIGIN, SoftAuthenticator.securityKey());
    RunningService service;
    Description description;

    @AfterEach
    void stop() {
        service.close();
    }

    void start(String... variables) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of(
                "RP_ORIGIN", ORIGIN, "DATA_DIR", data.toString(), "ADMIN_TOKEN", ADMIN, "RATE_LIMIT_PER_MINUTE", "0"));
        for (int i = 0; i < variables.length; i += 2) {
            all.put(variables[i], variables[i + 1]);
        }
        service = new RunningService(all, routes -> mounted.putAll(routes.access()));
        description = new Description(service.get("/openapi.json").body());
        assertThat(call("POST /admin/clients", ADMIN, CLIENT_SETTINGS).statusCode())
                .isEqualTo(201);
    }

    String token() throws Exception {
        String enrollment =
                json(call("POST /auth/signup", "", "{\"userId\":\"ada\"}")).string("token");
        String options =
                call("GET /auth/passkey/register/options", enrollment, null).body();
        call("POST /auth/passkey/register/finish", enrollment, browser.create(options));
        return json(login()).string("token");
    }

    HttpResponse<String> login() throws Exception {
        String options = call("GET /auth/passkey/login/options", "", null).body();
        return call("POST /auth/passkey/login/finish", "", browser.get(options));
    }

    int refusal(String operation, String bearer, String type, String body) throws Exception {
        return description
                .check(operation, send(operation, "x", bearer, body, "Content-Type", type))
                .statusCode();
    }

    HttpResponse<String> call(String operation, String bearer, String body) throws Exception {
        return call(operation, "x", bearer, body);
    }

    /** Sends a request and checks the response against the description. */
    HttpResponse<String> call(String operation, String parameter, String bearer, String body) throws Exception {
        String described = operation.contains("?") ? operation.substring(0, operation.indexOf('?')) : operation;
        String type = description.bodyType(described);
        return description.check(described, send(operation, parameter, bearer, body, "Content-Type", type));
    }

    HttpResponse<String> send(
            String operation, String parameter, String bearer, String body, String header, String value)
            throws Exception {
        int space = operation.indexOf(' ');
        String path = operation.substring(space + 1).replaceAll("\\{[^}]*}", parameter.replace("$", ""));
        HttpRequest.Builder request = HttpRequest.newBuilder(service.uri(path))
                .header(header, value)
                .method(
                        operation.substring(0, space),
                        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!bearer.isEmpty()) {
            request.header("Authorization", "Bearer " + bearer);
        }
        return service.send(request.build());
    }

    static JsonObject json(HttpResponse<String> response) {
        return JsonObject.parse(response.body());
    }
}
