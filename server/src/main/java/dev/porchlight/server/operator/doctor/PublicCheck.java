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

/** The service as people reach it: its address, TLS, the proxy in front, and what gets through it. */
final class PublicCheck {
    private final Config config;
    private final URI url;
    private final InstantSource clock;
    private final X509ExtendedTrustManager trust;
    private final Probe probe;
    private final List<Finding> findings = new ArrayList<>();

    PublicCheck(Config config, URI url, InstantSource clock, X509ExtendedTrustManager trust, Duration timeout) {
        this.config = config;
        this.url = url;
        this.clock = clock;
        this.trust = trust;
        this.probe = new Probe(timeout);
    }

    List<Finding> findings() {
        HttpResponse<String> description;
        try {
            description = probe.get(url.resolve("/openapi.json"));
        } catch (ConnectException e) {
            wrong(
                    "no service accepts connections at " + url,
                    "./porchlight serve   # or check the host and port of the URL, and the proxy there");
            return findings;
        } catch (IOException e) {
            wrong(
                    url + " cannot be reached: "
                            + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()),
                    "curl -v " + url.resolve("/openapi.json") + "   # shows how far it gets: name, port, TLS");
            return findings;
        }
        checkOrigin();
        boolean trusted = isHttps() ? checkCertificate() : checkLocal();
        if (isHttps()) {
            findings.add(ProxyCheck.redirect(probe, ProxyCheck.plain(url)));
        }
        ProxyCheck proxy = new ProxyCheck(config, url, probe);
        findings.addAll(proxy.headers(description));
        findings.addAll(proxy.documents(description));
        findings.add(proxy.cookie());
        findings.addAll(proxy.forwarding(trusted));
        return findings;
    }

    private void checkOrigin() {
        String origin = url.getScheme() + "://" + url.getAuthority();
        if (origin.equals(config.relyingParty().origin())
                || config.relyingParty().relatedOrigins().contains(origin)) {
            findings.add(Finding.fine("browsers at " + url + " are at an origin that is accepted"));
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
        wrong(url + " is not https: browsers offer no passkeys there", "export RP_ORIGIN=https://" + host);
        return false;
    }

    private boolean checkCertificate() {
        List<X509Certificate> chain = probe.trust().seen();
        if (chain.isEmpty()) {
            return false;
        }
        List<Finding> found =
                CertificateCheck.findings("the certificate of " + url.getHost(), url.getHost(), clock, chain.get(0));
        findings.addAll(found);
        boolean good = found.stream().allMatch(finding -> finding.state() == Finding.State.FINE);
        try {
            String kind = chain.get(0).getPublicKey().getAlgorithm();
            trust.checkServerTrusted(chain.toArray(X509Certificate[]::new), kind);
            findings.add(Finding.fine("the certificate comes from an authority that is trusted"));
            return good;
        } catch (CertificateException e) {
            wrong(
                    "the certificate of " + url.getHost() + " comes from nobody that browsers trust, or without those"
                            + " above it",
                    "certbot certonly -d " + url.getHost() + "   # and serve fullchain.pem, not cert.pem");
            return false;
        }
    }

    private boolean isHttps() {
        return "https".equals(url.getScheme());
    }

    private void wrong(String what, String fix) {
        findings.add(Finding.wrong(what, fix));
    }
}
