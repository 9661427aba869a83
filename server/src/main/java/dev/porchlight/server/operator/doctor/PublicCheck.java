// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.config.Config;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.X509ExtendedTrustManager;

/** Checks the service at its public URL: origin, TLS and proxy. */
final class PublicCheck {
    private final Config config;
    private final URI url;
    private final InstantSource clock;
    private final X509ExtendedTrustManager trust;
    private final HttpProbe probe;
    private final List<Diagnosis> results = new ArrayList<>();

    PublicCheck(Config config, URI url, InstantSource clock, X509ExtendedTrustManager trust, Duration timeout) {
        this.config = config;
        this.url = url;
        this.clock = clock;
        this.trust = trust;
        this.probe = new HttpProbe(timeout);
    }

    List<Diagnosis> run() {
        HttpResponse<String> description;
        try {
            description = probe.get(url.resolve("/openapi.json"));
        } catch (ConnectException e) {
            wrong(
                    "no service listens at " + url,
                    "./porchlight serve   # or check the host and port of the URL, and the proxy there");
            return results;
        } catch (IOException e) {
            wrong(
                    url + " cannot be reached: "
                            + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()),
                    "curl -v " + url.resolve("/openapi.json") + "   # shows where it fails: DNS, port or TLS");
            return results;
        }
        checkOrigin();
        boolean trusted = isHttps() ? checkCertificate() : checkLocal();
        if (isHttps()) {
            results.add(ProxyCheck.redirect(probe, ProxyCheck.plain(url)));
        }
        ProxyCheck proxy = new ProxyCheck(config, url, probe);
        results.addAll(proxy.headers(description));
        results.addAll(proxy.documents(description));
        results.addAll(proxy.openId());
        results.add(proxy.cookie());
        results.addAll(proxy.forwarding(trusted));
        return results;
    }

    private void checkOrigin() {
        String origin = url.getScheme() + "://" + url.getAuthority();
        if (origin.equals(config.relyingParty().origin())
                || config.relyingParty().relatedOrigins().contains(origin)) {
            results.add(Diagnosis.ok("the origin of " + url + " is accepted"));
        } else {
            wrong(
                    "browsers at " + url + " have the origin " + origin + ", but RP_ORIGIN is "
                            + config.relyingParty().origin(),
                    "export RP_ORIGIN=" + origin + " RP_ID=" + url.getHost());
        }
    }

    private boolean checkLocal() {
        String host = url.getHost();
        if (host.equals("localhost") || host.endsWith(".localhost")) {
            return true;
        }
        wrong(url + " is not https: browsers do not offer passkeys there", "export RP_ORIGIN=https://" + host);
        return false;
    }

    private boolean checkCertificate() {
        List<X509Certificate> chain = probe.trust().seen();
        if (chain.isEmpty()) {
            return false;
        }
        List<Diagnosis> found =
                CertificateCheck.run("the certificate of " + url.getHost(), url.getHost(), clock, chain.get(0));
        results.addAll(found);
        boolean valid = found.stream().allMatch(result -> result.state() == Diagnosis.State.OK);
        try {
            String kind = chain.get(0).getPublicKey().getAlgorithm();
            trust.checkServerTrusted(chain.toArray(X509Certificate[]::new), kind);
            results.add(Diagnosis.ok("the certificate is issued by a trusted authority"));
            return valid;
        } catch (CertificateException e) {
            wrong(
                    "the certificate of " + url.getHost() + " is not issued by a trusted authority, or intermediate"
                            + " certificates are missing",
                    "certbot certonly -d " + url.getHost() + "   # and serve fullchain.pem, not cert.pem");
            return false;
        }
    }

    private boolean isHttps() {
        return "https".equals(url.getScheme());
    }

    private void wrong(String what, String fix) {
        results.add(Diagnosis.problem(what, fix));
    }
}
