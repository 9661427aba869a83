// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import dev.porchlight.testkit.SoftBrowser;
import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A user with a browser: cookies and an authenticator. */
final class Visitor {
    static final String JSON = "application/json";
    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    private final CookieManager cookies = new CookieManager();
    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(cookies).build();
    private final String base;
    private final SoftBrowser browser;

    Visitor(String base, SoftBrowser browser) {
        this.base = base;
        this.browser = browser;
    }

    /** Returns a visitor with the same authenticator and no cookies. */
    Visitor withoutCookies() {
        return new Visitor(base, browser);
    }

    SoftBrowser browser() {
        return browser;
    }

    HttpResponse<String> get(String path) {
        return send(request(path));
    }

    HttpResponse<String> post(String path, String type, String body) {
        return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    /** Renames or removes a passkey. */
    HttpResponse<String> change(String method, String credentialId, String body) {
        var request = request("/auth/passkey/credentials/" + credentialId)
                .header("Content-Type", JSON)
                .method(method, BodyPublishers.ofString(body));
        return send(request);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    /** Sends a raw request that HTTP clients refuse to send, and returns the raw response. */
    String sendRaw(String method, String path, String header) {
        URI server = URI.create(base);
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(60_000);
            String request = method + ' ' + server.getPath() + path
                    + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + header + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> signInWithPassword(String user, String password) {
        return form("/login", csrf(), "&username=" + user + "&password=" + password);
    }

    HttpResponse<String> signOut(String csrf) {
        return form("/logout", csrf, "");
    }

    /** Returns the CSRF token for forms. */
    String csrf() {
        Matcher csrf = CSRF.matcher(get("/login").body());
        if (!csrf.find()) {
            throw new IllegalStateException("the login page has no token");
        }
        return csrf.group(1);
    }

    private HttpResponse<String> form(String path, String csrf, String fields) {
        String form = "_csrf=" + URLEncoder.encode(csrf, StandardCharsets.UTF_8) + fields;
        return post(path, "application/x-www-form-urlencoded", form);
    }

    HttpResponse<String> register() {
        return finishRegistration(browser.create(registrationOptions()));
    }

    HttpResponse<String> signIn(String query) {
        return finishSignIn(query, browser.get(signInOptions(query)));
    }

    /** Signs in with the only passkey of the authenticator and returns its id. */
    String signedInWith() {
        String response = browser.get(signInOptions("?userId=ada"));
        if (finishSignIn("?userId=ada", response).statusCode() != 200) {
            throw new IllegalStateException("the passkey was refused");
        }
        return response.replaceAll(".*?\"id\":\"([^\"]+)\".*", "$1");
    }

    String registrationOptions() {
        return get("/auth/passkey/register/options").body();
    }

    String signInOptions(String query) {
        return get("/auth/passkey/login/options" + query).body();
    }

    HttpResponse<String> finishRegistration(String response) {
        return post("/auth/passkey/register/finish", JSON, response);
    }

    HttpResponse<String> finishSignIn(String query, String response) {
        return post("/auth/passkey/login/finish" + query, JSON, response);
    }

    String session() {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals("JSESSIONID"))
                .map(HttpCookie::getValue)
                .findFirst()
                .orElse("");
    }
}
