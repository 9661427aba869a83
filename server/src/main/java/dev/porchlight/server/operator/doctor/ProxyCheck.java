// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.operator.doctor.ClientCheck.Discovery;
import dev.porchlight.server.tls.OwnCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Checks how a proxy changes responses, and requests as the service sees them. */
final class ProxyCheck {
    private static final String AUTHORIZE = "/oauth2/authorize";

    private final Examination examination;
    private final Config config;
    private final URI url;
    private final HttpProbe probe;

    ProxyCheck(Examination examination, URI url, HttpProbe probe) {
        this.examination = examination;
        this.config = examination.config();
        this.url = url;
        this.probe = probe;
    }

    /**
     * Runs all checks except of the redirect.
     *
     * @param description the response with the API description
     * @param trusted whether the certificate is trusted; otherwise the admin token is not sent
     */
    void run(HttpResponse<String> description, boolean trusted) {
        checkHeaders(description);
        checkDocument("/openapi.json", "\"openapi\"", description);
        checkDocument("/.well-known/jwks.json", "\"keys\"");
        checkDocument("/.well-known/webauthn", config.relyingParty().origin());
        checkDocument("/.well-known/passkey-endpoints", config.relyingParty().origin());
        checkOpenId();
        checkCookie();
        checkForwarding(trusted);
    }

    private void checkHeaders(HttpResponse<String> response) {
        List<String> missing = Stream.of(
                        "X-Content-Type-Options",
                        "Referrer-Policy",
                        "Content-Security-Policy",
                        "Strict-Transport-Security")
                .filter(name -> config.https() || !name.equals("Strict-Transport-Security"))
                .filter(name -> response.headers().firstValue(name).isEmpty())
                .toList();
        missing.forEach(name -> examination.problem(
                "the header " + name + " does not arrive at " + url,
                "proxy_pass_header " + name + ";   # nginx, and no proxy_hide_header for it"));
        if (missing.isEmpty()) {
            examination.ok("the security headers arrive");
        }
    }

    private void checkDocument(String path, String word) {
        try {
            checkDocument(path, word, probe.get(url.resolve(path)));
        } catch (IOException e) {
            missing(path, "cannot be reached: " + e.getMessage());
        }
    }

    private void checkDocument(String path, String word, HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            missing(path, "responds with " + response.statusCode());
        } else if (response.body().contains(word)) {
            examination.ok(path + " is served");
        } else {
            missing(path, "is not from this service: it does not contain " + word);
        }
    }

    /** Checks the discovery document and its endpoints; nothing if OpenID Connect is off. */
    private void checkOpenId() {
        try {
            HttpResponse<String> discovery = probe.get(url.resolve(Discovery.PATH));
            if (discovery.statusCode() == 404) {
                return;
            }
            checkDocument(Discovery.PATH, "\"issuer\"", discovery);
            // Without parameters the endpoint responds with an explanation.
            int status = probe.get(url.resolve(AUTHORIZE)).statusCode();
            if (status == 400) {
                examination.ok(AUTHORIZE + " is served");
            } else {
                missing("/oauth2/", "responds with " + status + " instead of 400");
            }
        } catch (IOException e) {
            missing(Discovery.PATH, "cannot be reached: " + e.getMessage());
        }
    }

    private void missing(String path, String how) {
        examination.problem(
                url.resolve(path) + " " + how,
                "location " + path + " { proxy_pass http://" + config.get(Settings.HOST) + ':'
                        + config.get(Settings.PORT) + "; }   # nginx");
    }

    /** Checks the flags of the session cookie. A logout without a session clears it with the same flags as a login sets it. */
    private void checkCookie() {
        URI logout = url.resolve("/auth/logout");
        try {
            String cookie = probe.send("POST", logout).headers().allValues("Set-Cookie").stream()
                    .filter(value -> value.contains("porchlight="))
                    .findFirst()
                    .orElse("");
            List<String> missing = Stream.concat(
                            Stream.of("; HttpOnly", "; SameSite=Strict", "; Path=/"),
                            config.https() ? Stream.of("; Secure", "__Host-") : Stream.of())
                    .filter(flag -> !cookie.contains(flag))
                    .toList();
            examination.expect(
                    missing.isEmpty(),
                    "the session cookie arrives with its flags",
                    cookie.isEmpty()
                            ? "the session cookie does not arrive at " + url
                            : "the session cookie loses " + missing + " on the way to " + url,
                    "proxy_pass_header Set-Cookie; proxy_cookie_flags off;   # nginx");
        } catch (IOException e) {
            examination.problem(
                    "a POST to " + logout + " fails: " + e.getMessage(),
                    "limit_except GET POST PATCH DELETE { deny all; }   # nginx: the methods to allow");
        }
    }

    /** The http URL that a browser requests first. */
    static URI plain(URI url) {
        String port = url.getPort() < 0 || url.getPort() == 443 ? "" : ":" + url.getPort();
        return URI.create("http://" + url.getHost() + port + "/");
    }

    /** Checks that http redirects to https. */
    void checkRedirect(URI plain) {
        try {
            HttpResponse<String> response = probe.get(plain);
            String target = response.headers().firstValue("Location").orElse("");
            examination.expect(
                    response.statusCode() / 100 == 3
                            && target.toLowerCase(Locale.ROOT).startsWith("https://"),
                    plain + " redirects to https",
                    plain + " responds with " + response.statusCode() + " instead of redirecting to https",
                    "return 308 https://$host$request_uri;   # nginx, in the server block that listens on 80");
        } catch (IOException notListening) {
            examination.ok("nothing listens without TLS at " + plain);
        }
    }

    /**
     * Checks the scheme and host of a request as the service sees it. Sends the admin token only to a server with a trusted
     * certificate. A local service needs no token, except behind a proxy.
     */
    private void checkForwarding(boolean trusted) {
        if (!trusted) {
            examination.skipped("the proxy's request headers: checked only on a trusted server");
            return;
        }
        if (config.get(Settings.MANAGEMENT_PORT).isPresent()) {
            examination.skipped(
                    "the proxy's request headers: /admin is not served there, because MANAGEMENT_PORT is set");
            config.get(Settings.ADMIN_TOKEN).ifPresent(this::checkManagementPort);
            return;
        }
        URI address = url.resolve("/admin/request");
        boolean hasToken = config.get(Settings.ADMIN_TOKEN).isPresent();
        try {
            HttpResponse<String> response = config.adminEnabled()
                    ? probe.get(
                            address,
                            "Authorization",
                            "Bearer " + config.get(Settings.ADMIN_TOKEN).orElse("none"))
                    : null;
            if (response == null || response.statusCode() == 403 && !hasToken) {
                examination.skipped("the proxy's request headers: checked only with ADMIN_TOKEN set");
            } else if (response.statusCode() == 200) {
                judge(JsonObject.parse(response.body(), "request"));
            } else {
                refusedToken(url, response);
            }
        } catch (IOException | MalformedException e) {
            examination.problem(
                    address + " does not respond correctly: " + e.getMessage(),
                    "curl -i -H \"Authorization: Bearer $ADMIN_TOKEN\" " + address);
        }
    }

    /** Checks the token at the management port of this machine, which no proxy forwards to. */
    private void checkManagementPort(String token) {
        URI address = config.ownAddress();
        HttpClient.Builder client =
                HttpClient.newBuilder().connectTimeout(examination.timeout()).proxy(HttpClient.Builder.NO_PROXY);
        config.tls()
                .map(files -> new OwnCertificate(files.identity()))
                .ifPresent(certificate -> client.sslContext(certificate.context()));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address.resolve("/admin/request")).header("Authorization", "Bearer " + token);
        try {
            HttpResponse<String> response = HttpProbe.send(client.build(), request, examination.timeout());
            if (response.statusCode() == 200) {
                examination.ok("the management port at " + address + " accepts this ADMIN_TOKEN");
            } else {
                refusedToken(address, response);
            }
        } catch (IOException e) {
            examination.skipped("the ADMIN_TOKEN: " + address + " cannot be reached from here: " + HttpProbe.cause(e));
        }
    }

    private void refusedToken(URI address, HttpResponse<String> response) {
        examination.problem(
                "the service at " + address + " does not accept this ADMIN_TOKEN (status " + response.statusCode()
                        + ")",
                "export ADMIN_TOKEN=TOKEN   # the one of the running service");
    }

    private void judge(JsonObject seen) throws MalformedException {
        String peer = seen.text("peer");
        examination.expect(
                seen.text("scheme").equals(url.getScheme()),
                "the service sees the scheme " + url.getScheme(),
                "the service sees requests to " + url + " as " + seen.text("scheme")
                        + ": X-Forwarded-Proto is not set, or not by one of TRUSTED_PROXIES (the peer is " + peer + ")",
                "export TRUSTED_PROXIES=" + peer + "   # and in nginx: proxy_set_header X-Forwarded-Proto $scheme;");
        examination.expect(
                seen.text("host").equalsIgnoreCase(url.getHost()),
                "the service sees the requested host",
                "the service sees requests to " + url.getHost() + " as " + seen.text("host"),
                "proxy_set_header Host $host;   # nginx");
    }
}
