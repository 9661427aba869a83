// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.passkey.PasskeyConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/** Checks the service at its public URL: origin, TLS and proxy. */
final class PublicCheck {
    private final Examination examination;
    private final URI url;
    private final HttpProbe probe;

    PublicCheck(Examination examination, URI url) {
        this.examination = examination;
        this.url = url;
        this.probe = new HttpProbe(examination.timeout());
    }

    void run() {
        HttpResponse<String> description;
        try {
            description = probe.get(url.resolve("/openapi.json"));
        } catch (ConnectException e) {
            examination.problem(
                    "no service listens at " + url,
                    "./porchlight serve   # or check the host and port of the URL, and the proxy there");
            return;
        } catch (IOException e) {
            examination.problem(
                    url + " cannot be reached: " + HttpProbe.cause(e),
                    "curl -v " + url.resolve("/openapi.json") + "   # shows where it fails: DNS, port or TLS");
            return;
        }
        checkOrigin();
        boolean https = "https".equals(url.getScheme());
        boolean trusted = https ? checkCertificate() : checkLocal();
        var proxy = new ProxyCheck(examination, url, probe);
        if (https) {
            proxy.checkRedirect(ProxyCheck.plain(url));
        }
        proxy.run(description, trusted);
    }

    private void checkOrigin() {
        String origin = url.getScheme() + "://" + url.getAuthority();
        PasskeyConfig relyingParty = examination.config().relyingParty();
        examination.expect(
                origin.equals(relyingParty.origin())
                        || relyingParty.relatedOrigins().contains(origin),
                "the origin of " + url + " is accepted",
                "browsers at " + url + " have the origin " + origin + ", but RP_ORIGIN is " + relyingParty.origin(),
                "export RP_ORIGIN=" + origin + " RP_ID=" + url.getHost());
    }

    private boolean checkLocal() {
        String host = url.getHost();
        boolean local = host.equals("localhost") || host.endsWith(".localhost");
        if (!local) {
            examination.problem(
                    url + " is not https: browsers do not offer passkeys there", "export RP_ORIGIN=https://" + host);
        }
        return local;
    }

    private boolean checkCertificate() {
        String host = url.getHost();
        List<X509Certificate> chain = probe.certificates();
        if (chain.isEmpty()) {
            return false;
        }
        boolean valid = CertificateCheck.run(examination, "the certificate of " + host, host, chain.get(0));
        try {
            String kind = chain.get(0).getPublicKey().getAlgorithm();
            examination.trust().checkServerTrusted(chain.toArray(X509Certificate[]::new), kind);
            examination.ok("the certificate is issued by a trusted authority");
            return valid;
        } catch (CertificateException e) {
            examination.problem(
                    "the certificate of " + host + " is not issued by a trusted authority, or intermediate"
                            + " certificates are missing",
                    "certbot certonly -d " + host + "   # and serve fullchain.pem, not cert.pem");
            return false;
        }
    }
}
