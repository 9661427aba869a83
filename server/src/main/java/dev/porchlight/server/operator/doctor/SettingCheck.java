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

/** Whether settings that are right each by itself go together. */
final class SettingCheck {
    private final Config config;
    private final String trustProxy;
    private final InstantSource clock;
    private final List<Finding> findings = new ArrayList<>();

    SettingCheck(Config config, String trustProxy, InstantSource clock) {
        this.config = config;
        this.trustProxy = trustProxy;
        this.clock = clock;
    }

    List<Finding> findings() {
        if (config.tls().isPresent()) {
            checkCertificate(config.tls().get().identity());
        }
        if (config.tls().isPresent() && !config.https()) {
            String secure = config.relyingParty().origin().replaceFirst("^http:", "https:");
            wrong(
                    "TLS_CERTIFICATE is set, but RP_ORIGIN is http: no page could be at it",
                    "export RP_ORIGIN=" + secure);
        }
        if (config.https()
                && config.tls().isEmpty()
                && !config.get(Settings.TRUSTED_PROXIES).any()) {
            wrong(
                    "RP_ORIGIN is https and TLS_CERTIFICATE is not set, so a proxy stands in front, but TRUSTED_PROXIES is"
                            + " empty: all users would share one rate limit",
                    trustProxy);
        }
        if (!config.local() && config.get(Settings.SIGNUP)) {
            findings.add(Finding.skipped("SIGNUP is open: anybody may create a first passkey, as intended"));
        }
        return findings;
    }

    private void checkCertificate(KeyStore identity) {
        try {
            var certificate = (X509Certificate) identity.getCertificate("server");
            String host = URI.create(config.relyingParty().origin()).getHost();
            findings.addAll(CertificateCheck.findings("TLS_CERTIFICATE", host, clock, certificate));
        } catch (KeyStoreException e) {
            throw new IllegalStateException("the store was loaded when it was made", e);
        }
    }

    private void wrong(String what, String fix) {
        findings.add(Finding.wrong(what, fix));
    }
}
