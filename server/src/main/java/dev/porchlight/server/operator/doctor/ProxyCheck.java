// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Checks how a proxy changes responses, and requests as the service sees them. */
final class ProxyCheck {
    private static final Diagnosis NEEDS_TOKEN =
            Diagnosis.skipped("the proxy's request headers: checked only with ADMIN_TOKEN set");

    private static final String AUTHORIZE = "/oauth2/authorize";

    private final Config config;
    private final URI url;
    private final HttpProbe probe;

    ProxyCheck(Config config, URI url, HttpProbe probe) {
        this.config = config;
        this.url = url;
        this.probe = probe;
    }

    /** Checks that the security headers arrive. */
    List<Diagnosis> headers(HttpResponse<String> response) {
        Stream<String> required = Stream.of("X-Content-Type-Options", "Referrer-Policy", "Content-Security-Policy");
        if (config.https()) {
            required = Stream.concat(required, Stream.of("Strict-Transport-Security"));
        }
        List<Diagnosis> missing = required.filter(
                        name -> response.headers().firstValue(name).isEmpty())
                .map(name -> Diagnosis.problem(
                        "the header " + name + " does not arrive at " + url,
                        "proxy_pass_header " + name + ";   # nginx, and no proxy_hide_header for it"))
                .toList();
        return missing.isEmpty() ? List.of(Diagnosis.ok("the security headers arrive")) : missing;
    }

    /** Checks that the API description and the well-known documents are served. */
    List<Diagnosis> documents(HttpResponse<String> description) {
        List<Diagnosis> results = new ArrayList<>();
        results.add(document("/openapi.json", "\"openapi\"", description));
        results.add(document("/.well-known/jwks.json", "\"keys\""));
        results.add(document("/.well-known/webauthn", config.relyingParty().origin()));
        results.add(
                document("/.well-known/passkey-endpoints", config.relyingParty().origin()));
        return results;
    }

    private Diagnosis document(String path, String word) {
        try {
            return document(path, word, probe.get(url.resolve(path)));
        } catch (IOException e) {
            return missing(path, "cannot be reached: " + e.getMessage());
        }
    }

    /** Checks the discovery document and its endpoints; nothing if OpenID Connect is off. */
    List<Diagnosis> openId() {
        try {
            HttpResponse<String> discovery = probe.get(url.resolve(Discovery.PATH));
            if (discovery.statusCode() == 404) {
                return List.of();
            }
            Diagnosis document = document(Discovery.PATH, "\"issuer\"", discovery);
            // Without parameters the endpoint responds with an explanation.
            int status = probe.get(url.resolve(AUTHORIZE)).statusCode();
            return List.of(
                    document,
                    status == 400
                            ? Diagnosis.ok(AUTHORIZE + " is served")
                            : missing("/oauth2/", "responds with " + status + " instead of 400"));
        } catch (IOException e) {
            return List.of(missing(Discovery.PATH, "cannot be reached: " + e.getMessage()));
        }
    }

    private Diagnosis document(String path, String word, HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            return missing(path, "responds with " + response.statusCode());
        }
        return response.body().contains(word)
                ? Diagnosis.ok(path + " is served")
                : missing(path, "is not from this service: it does not contain " + word);
    }

    private Diagnosis missing(String path, String how) {
        return Diagnosis.problem(
                url.resolve(path) + " " + how,
                "location " + path + " { proxy_pass http://" + config.get(Settings.HOST) + ':'
                        + config.get(Settings.PORT) + "; }   # nginx");
    }

    /** Checks the flags of the session cookie. A logout without a session clears it with the same flags as a login sets it. */
    Diagnosis cookie() {
        try {
            HttpResponse<String> response = probe.send("POST", url.resolve("/auth/logout"));
            String cookie = response.headers().allValues("Set-Cookie").stream()
                    .filter(value -> value.contains("porchlight="))
                    .findFirst()
                    .orElse("");
            List<String> missing = Stream.concat(
                            Stream.of("; HttpOnly", "; SameSite=Strict", "; Path=/"),
                            config.https() ? Stream.of("; Secure", "__Host-") : Stream.of())
                    .filter(flag -> !cookie.contains(flag))
                    .toList();
            return missing.isEmpty()
                    ? Diagnosis.ok("the session cookie arrives with its flags")
                    : Diagnosis.problem(
                            cookie.isEmpty()
                                    ? "the session cookie does not arrive at " + url
                                    : "the session cookie loses " + missing + " on the way to " + url,
                            "proxy_pass_header Set-Cookie; proxy_cookie_flags off;   # nginx");
        } catch (IOException e) {
            return Diagnosis.problem(
                    "a POST to " + url.resolve("/auth/logout") + " fails: " + e.getMessage(),
                    "limit_except GET POST PATCH DELETE { deny all; }   # nginx: the methods to allow");
        }
    }

    /** The http URL that a browser requests first. */
    static URI plain(URI url) {
        String port = url.getPort() < 0 || url.getPort() == 443 ? "" : ":" + url.getPort();
        return URI.create("http://" + url.getHost() + port + "/");
    }

    /** Checks that http redirects to https. */
    static Diagnosis redirect(HttpProbe probe, URI plain) {
        try {
            HttpResponse<String> response = probe.get(plain);
            String target = response.headers().firstValue("Location").orElse("");
            return response.statusCode() / 100 == 3
                            && target.toLowerCase(Locale.ROOT).startsWith("https://")
                    ? Diagnosis.ok(plain + " redirects to https")
                    : Diagnosis.problem(
                            plain + " responds with " + response.statusCode() + " instead of redirecting to https",
                            "return 308 https://$host$request_uri;   # nginx, in the server block that listens on 80");
        } catch (IOException notListening) {
            return Diagnosis.ok("nothing listens without TLS at " + plain);
        }
    }

    /**
     * Checks the scheme and host of a request as the service sees it. Sends the admin token only to a server with a trusted
     * certificate.
     */
    List<Diagnosis> forwarding(boolean trusted) {
        if (!trusted) {
            return List.of(Diagnosis.skipped("the proxy's request headers: checked only on a trusted server"));
        }
        if (!config.adminEnabled()) {
            return List.of(NEEDS_TOKEN);
        }
        try {
            String token = config.get(Settings.ADMIN_TOKEN).orElse("none");
            return judge(probe.get(url.resolve("/admin/request"), "Authorization", "Bearer " + token));
        } catch (IOException | MalformedException e) {
            return List.of(Diagnosis.problem(
                    url.resolve("/admin/request") + " does not respond correctly: " + e.getMessage(),
                    "curl -i -H \"Authorization: Bearer $ADMIN_TOKEN\" " + url.resolve("/admin/request")));
        }
    }

    private List<Diagnosis> judge(HttpResponse<String> response) throws MalformedException {
        if (response.statusCode() == 403 && config.get(Settings.ADMIN_TOKEN).isEmpty()) {
            return List.of(NEEDS_TOKEN); // a local service needs no token, except behind a proxy
        }
        if (response.statusCode() != 200) {
            return List.of(Diagnosis.problem(
                    "the service at " + url + " does not accept this ADMIN_TOKEN (status " + response.statusCode()
                            + ")",
                    "export ADMIN_TOKEN=TOKEN   # the one of the running service"));
        }
        JsonObject seen = JsonObject.parse(response.body(), "request");
        List<Diagnosis> results = new ArrayList<>();
        if (seen.text("scheme").equals(url.getScheme())) {
            results.add(Diagnosis.ok("the service sees the scheme " + url.getScheme()));
        } else {
            results.add(Diagnosis.problem(
                    "the service sees requests to " + url + " as " + seen.text("scheme")
                            + ": X-Forwarded-Proto is not set, or not by one of TRUSTED_PROXIES (the peer is "
                            + seen.text("peer") + ")",
                    "export TRUSTED_PROXIES=" + seen.text("peer")
                            + "   # and in nginx: proxy_set_header X-Forwarded-Proto $scheme;"));
        }
        if (seen.text("host").equalsIgnoreCase(url.getHost())) {
            results.add(Diagnosis.ok("the service sees the requested host"));
        } else {
            results.add(Diagnosis.problem(
                    "the service sees requests to " + url.getHost() + " as " + seen.text("host"),
                    "proxy_set_header Host $host;   # nginx"));
        }
        return results;
    }
}
