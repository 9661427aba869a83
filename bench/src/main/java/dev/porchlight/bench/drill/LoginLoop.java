// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.drill;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One user with a passkey who logs in again and again. For one thread. */
final class LoginLoop {
    private static final String REGISTER = "/auth/passkey/register/";
    private static final String LOGIN = "/auth/passkey/login/";

    private final HttpClient http;
    private final URI service;
    private final String userId;
    private final SoftBrowser browser;

    LoginLoop(HttpClient http, URI service, String userId) {
        this.http = http;
        this.service = service;
        this.userId = userId;
        this.browser = new SoftBrowser(service.toString(), SoftAuthenticator.securityKey()).picks(userId);
    }

    void register() throws IOException, InterruptedException {
        String signup =
                send("/auth/signup", new JsonObject().put("userId", userId).toString(), null);
        String token = JsonObject.parse(signup).string("token");
        send(REGISTER + "finish", browser.create(send(REGISTER + "options", null, token)), token);
    }

    void login() throws IOException, InterruptedException {
        String query = "?userId=" + userId;
        send(LOGIN + "finish" + query, browser.get(send(LOGIN + "options" + query, null, null)), null);
    }

    private String send(String path, @Nullable String json, @Nullable String token)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(service.resolve(path)).timeout(Duration.ofSeconds(30));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (json != null) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json));
        }
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IOException(path + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }
}
