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

/** What gets through to the public address of the service, and from it: answers, and requests as the service sees them. */
final class ProxyCheck {
    private static final Finding NEEDS_TOKEN =
            Finding.skipped("what the proxy forwards: asked only with ADMIN_TOKEN set");

    private final Config config;
    private final URI url;
    private final Probe probe;

    ProxyCheck(Config config, URI url, Probe probe) {
        this.config = config;
        this.url = url;
        this.probe = probe;
    }

    /** The headers that keep browsers from making more of an answer than it is. */
    List<Finding> headers(HttpResponse<String> answer) {
        Stream<String> wanted = Stream.of("X-Content-Type-Options", "Referrer-Policy", "Content-Security-Policy");
        if (config.https()) {
            wanted = Stream.concat(wanted, Stream.of("Strict-Transport-Security"));
        }
        List<Finding> missing = wanted.filter(
                        name -> answer.headers().firstValue(name).isEmpty())
                .map(name -> Finding.wrong(
                        "the header " + name + " does not get through to " + url,
                        "proxy_pass_header " + name + ";   # nginx, and no proxy_hide_header for it"))
                .toList();
        return missing.isEmpty() ? List.of(Finding.fine("the security headers get through")) : missing;
    }

    /** The description and the three well-knowns, each with a word that must be in it. */
    List<Finding> documents(HttpResponse<String> description) {
        List<Finding> findings = new ArrayList<>();
        findings.add(document("/openapi.json", "\"openapi\"", description));
        findings.add(document("/.well-known/jwks.json", "\"keys\""));
        findings.add(document("/.well-known/webauthn", config.relyingParty().origin()));
        findings.add(
                document("/.well-known/passkey-endpoints", config.relyingParty().origin()));
        return findings;
    }

    private Finding document(String path, String word) {
        try {
            return document(path, word, probe.get(url.resolve(path)));
        } catch (IOException e) {
            return missing(path, "cannot be reached: " + e.getMessage());
        }
    }

    private Finding document(String path, String word, HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            return missing(path, "answers " + answer.statusCode());
        }
        return answer.body().contains(word)
                ? Finding.fine(path + " is there")
                : missing(path, "is not this service's: it lacks " + word);
    }

    private Finding missing(String path, String how) {
        return Finding.wrong(
                url.resolve(path) + " " + how,
                "location " + path + " { proxy_pass http://" + config.get(Settings.HOST) + ':'
                        + config.get(Settings.PORT) + "; }   # nginx");
    }

    /** A logout of nobody makes the browser forget its cookie, in the words in which a login would set it. */
    Finding cookie() {
        try {
            HttpResponse<String> answer = probe.send("POST", url.resolve("/auth/logout"));
            String cookie = answer.headers().allValues("Set-Cookie").stream()
                    .filter(value -> value.contains("porchlight="))
                    .findFirst()
                    .orElse("");
            List<String> missing = Stream.concat(
                            Stream.of("; HttpOnly", "; SameSite=Strict", "; Path=/"),
                            config.https() ? Stream.of("; Secure", "__Host-") : Stream.of())
                    .filter(flag -> !cookie.contains(flag))
                    .toList();
            return missing.isEmpty()
                    ? Finding.fine("the session cookie gets through with its flags")
                    : Finding.wrong(
                            cookie.isEmpty()
                                    ? "the session cookie does not get through to " + url
                                    : "the session cookie loses " + missing + " on its way to " + url,
                            "proxy_pass_header Set-Cookie; proxy_cookie_flags off;   # nginx");
        } catch (IOException e) {
            return Finding.wrong(
                    "a POST to " + url.resolve("/auth/logout") + " does not get through: " + e.getMessage(),
                    "limit_except GET POST PATCH DELETE { deny all; }   # nginx: the methods to let through");
        }
    }

    /** Where a browser asks when a person types http. */
    static URI plain(URI url) {
        String port = url.getPort() < 0 || url.getPort() == 443 ? "" : ":" + url.getPort();
        return URI.create("http://" + url.getHost() + port + "/");
    }

    /** Whether those who come without TLS are sent to where it is. */
    static Finding redirect(Probe probe, URI plain) {
        try {
            HttpResponse<String> answer = probe.get(plain);
            String target = answer.headers().firstValue("Location").orElse("");
            return answer.statusCode() / 100 == 3
                            && target.toLowerCase(Locale.ROOT).startsWith("https://")
                    ? Finding.fine(plain + " redirects to https")
                    : Finding.wrong(
                            plain + " answers " + answer.statusCode() + " instead of redirecting to https",
                            "return 308 https://$host$request_uri;   # nginx, in the server block that listens on 80");
        } catch (IOException nobodyThere) {
            return Finding.fine("nobody answers without TLS at " + plain);
        }
    }

    /**
     * What the service sees of a request that comes by its public address: scheme and host as the client wrote them. Looks only
     * where the admin token is safe: at a server whose certificate is trusted.
     */
    List<Finding> forwarding(boolean trusted) {
        if (!trusted) {
            return List.of(Finding.skipped("what the proxy forwards: asked only of a server that is trusted"));
        }
        if (!config.adminEnabled()) {
            return List.of(NEEDS_TOKEN);
        }
        try {
            String token = config.get(Settings.ADMIN_TOKEN).orElse("none");
            return judge(probe.get(url.resolve("/admin/request"), "Authorization", "Bearer " + token));
        } catch (IOException | MalformedException e) {
            return List.of(Finding.wrong(
                    url.resolve("/admin/request") + " does not answer as it should: " + e.getMessage(),
                    "curl -i -H \"Authorization: Bearer $ADMIN_TOKEN\" " + url.resolve("/admin/request")));
        }
    }

    private List<Finding> judge(HttpResponse<String> answer) throws MalformedException {
        if (answer.statusCode() == 403 && config.get(Settings.ADMIN_TOKEN).isEmpty()) {
            return List.of(NEEDS_TOKEN); // a local service answers without one, though not what comes through a proxy
        }
        if (answer.statusCode() != 200) {
            return List.of(Finding.wrong(
                    "the service at " + url + " does not take this ADMIN_TOKEN (status " + answer.statusCode() + ")",
                    "export ADMIN_TOKEN=THEIRS   # as the running service has it"));
        }
        JsonObject seen = JsonObject.parse(answer.body(), "request");
        List<Finding> findings = new ArrayList<>();
        if (seen.text("scheme").equals(url.getScheme())) {
            findings.add(Finding.fine("the service sees that clients come over " + url.getScheme()));
        } else {
            findings.add(Finding.wrong(
                    "the service takes requests to " + url + " for " + seen.text("scheme")
                            + ": X-Forwarded-Proto is not set, or not by one of TRUSTED_PROXIES (the peer is "
                            + seen.text("peer") + ")",
                    "export TRUSTED_PROXIES=" + seen.text("peer")
                            + "   # and in nginx: proxy_set_header X-Forwarded-Proto $scheme;"));
        }
        if (seen.text("host").equalsIgnoreCase(url.getHost())) {
            findings.add(Finding.fine("the service sees the host that clients ask for"));
        } else {
            findings.add(Finding.wrong(
                    "the service takes requests to " + url.getHost() + " for " + seen.text("host"),
                    "proxy_set_header Host $host;   # nginx"));
        }
        return findings;
    }
}
