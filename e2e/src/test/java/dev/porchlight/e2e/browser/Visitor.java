// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HexFormat;
import java.util.Random;

/** A user with a simulated browser. Each ceremony is one trace, as in the client helper. */
final class Visitor {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Random random = new Random();
    private final Site site;
    private final String userId;
    private final String userAgent;
    private final SoftBrowser browser;
    private String trace = "";
    private String challenge = "";
    private String token = "";

    Visitor(Site site, String userId, String userAgent, SoftAuthenticator authenticator) {
        this.site = site;
        this.userId = userId;
        this.userAgent = userAgent;
        this.browser = new SoftBrowser(site.origin(), authenticator).picks(userId);
    }

    /** Registers a passkey with an enrollment token. */
    void enroll(String enrollment) throws IOException, InterruptedException {
        begin();
        token = enrollment;
        String options = send("/auth/passkey/register/options", null);
        challenge = JsonObject.parse(options).string("challenge");
        send("/auth/passkey/register/finish", browser.create(options));
        token = "";
        report("registration", "ok");
    }

    void signIn() throws IOException, InterruptedException {
        String response = finish(browser.get(options()));
        report("login", "ok");
        token = JsonObject.parse(response).string("token");
        send("/auth/passkey/credentials", null);
        token = "";
    }

    /** Signs in with a mutated response. */
    void signIn(Mutation mutation) throws IOException, InterruptedException {
        finish(browser.get(options(), mutation));
        report("login", "refused");
    }

    /** Requests options and abandons the prompt. */
    void abandon(String outcome) throws IOException, InterruptedException {
        options();
        report("login", outcome);
    }

    private String options() throws IOException, InterruptedException {
        begin();
        String options = send("/auth/passkey/login/options?userId=" + userId, null);
        challenge = JsonObject.parse(options).string("challenge");
        return options;
    }

    private String finish(String response) throws IOException, InterruptedException {
        return send("/auth/passkey/login/finish?userId=" + userId, response);
    }

    private void report(String ceremony, String outcome) throws IOException, InterruptedException {
        JsonObject report = new JsonObject()
                .put("ceremony", ceremony)
                .put("outcome", outcome)
                .put("elapsedMs", 900L + random.nextInt(4000))
                .put("origin", site.origin())
                .put("rpId", "localhost")
                .put("challenge", challenge)
                .put("userId", userId);
        send("/auth/passkey/report", report.toString());
    }

    private void begin() {
        byte[] id = new byte[16];
        random.nextBytes(id);
        trace = HexFormat.of().formatHex(id);
    }

    private String send(String path, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(site.origin() + path))
                .header("traceparent", "00-" + trace + "-" + trace.substring(16) + "-01")
                .header("User-Agent", userAgent)
                .header("Content-Type", "application/json");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (body != null) {
            request.POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    }
}
