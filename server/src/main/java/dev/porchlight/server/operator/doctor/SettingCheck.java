// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import java.net.URI;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Checks combinations of settings that are valid individually. */
final class SettingCheck {
    private final Config config;
    private final String trustProxy;
    private final InstantSource clock;
    private final List<Diagnosis> results = new ArrayList<>();

    SettingCheck(Config config, String trustProxy, InstantSource clock) {
        this.config = config;
        this.trustProxy = trustProxy;
        this.clock = clock;
    }

    List<Diagnosis> run() {
        if (config.tls().isPresent()) {
            checkCertificate(config.tls().get().identity());
        }
        if (config.tls().isPresent() && !config.https()) {
            String secure = config.relyingParty().origin().replaceFirst("^http:", "https:");
            wrong("TLS_CERTIFICATE is set, but RP_ORIGIN is http", "export RP_ORIGIN=" + secure);
        }
        if (config.https()
                && config.tls().isEmpty()
                && !config.get(Settings.TRUSTED_PROXIES).any()) {
            wrong(
                    "RP_ORIGIN is https and TLS_CERTIFICATE is not set, so there is a proxy, but TRUSTED_PROXIES is"
                            + " empty: all users would share one rate limit",
                    trustProxy);
        }
        if (config.get(Settings.TRUSTED_PROXIES).anyWide()) {
            wrong(
                    "TRUSTED_PROXIES has a wide range: a client inside it could choose its own address",
                    trustProxy.replaceFirst("#.*", "# the addresses of your proxies, one by one"));
        }
        if (!config.local() && config.get(Settings.SIGNUP)) {
            results.add(Diagnosis.skipped("SIGNUP is open: anyone can sign up"));
        }
        return results;
    }

    private void checkCertificate(KeyStore identity) {
        try {
            var certificate = (X509Certificate) identity.getCertificate("server");
            String host = URI.create(config.relyingParty().origin()).getHost();
            results.addAll(CertificateCheck.run("TLS_CERTIFICATE", host, clock, certificate));
        } catch (KeyStoreException e) {
            throw new IllegalStateException("the key store is loaded", e);
        }
    }

    private void wrong(String what, String fix) {
        results.add(Diagnosis.problem(what, fix));
    }
}
