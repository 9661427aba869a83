// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.ConfigReader;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.mail.MailException;
import dev.porchlight.server.mail.SmtpServer;
import dev.porchlight.server.mail.SmtpUrl;
import dev.porchlight.server.web.Languages;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Checks the service from its configuration to its public URL. Changes nothing. Not thread-safe. */
public final class Doctor {
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ConfigReader reader;
    private final InstantSource clock;
    private final X509ExtendedTrustManager trust;
    private final Duration timeout;

    /** A doctor for the service that this environment configures. {@link Examination} describes the parameters. */
    Doctor(Map<String, String> environment, InstantSource clock, X509ExtendedTrustManager trust, Duration timeout) {
        this.reader = new ConfigReader(Map.copyOf(environment));
        this.clock = clock;
        this.trust = trust;
        this.timeout = timeout;
    }

    /** A doctor with the JDK's trust anchors. */
    public static Doctor of(Map<String, String> environment) {
        return new Doctor(environment, InstantSource.system(), trustOfTheJdk(), TIMEOUT);
    }

    /** The JDK's trust anchors, which are similar to those of browsers. */
    static X509ExtendedTrustManager trustOfTheJdk() {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return Stream.of(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no trust anchors", e);
        }
    }

    /**
     * Runs all checks in order. An invalid configuration is the only result, because the other checks depend on it.
     *
     * @param client the only OpenID Connect client to check, with the storage that it needs; null to check everything
     */
    public List<Diagnosis> examine(@Nullable URI url, @Nullable String client) {
        Config config;
        try {
            config = reader.config();
        } catch (InvalidConfigException e) {
            return Stream.concat(
                            e.faults().stream()
                                    .map(fault -> new Diagnosis(
                                            Diagnosis.State.PROBLEM, fault.toString(), reader.fix(fault.setting()))),
                            e.warnings().stream().map(Diagnosis::warning))
                    .toList();
        }
        var examination = new Examination(config, url, client, clock, trust, timeout);
        examination.ok("the configuration is valid; passkeys belong to "
                + config.relyingParty().rpId() + " on " + config.relyingParty().origin());
        if (client != null) {
            new StorageCheck(examination).run();
            return examination.results();
        }
        config.warnings().forEach(examination::warning);
        checkSettings(examination, config);
        MachineCheck.checkDirectory(examination);
        new StorageCheck(examination).run();
        new MetadataCheck(examination).run();
        config.get(Settings.SMTP_URL).ifPresent(server -> checkMail(examination, server));
        checkCrypto(examination);
        MachineCheck.checkPorts(examination);
        if (url != null) {
            new PublicCheck(examination, url).run();
        }
        return examination.results();
    }

    /** Checks combinations of settings that are valid individually. */
    private void checkSettings(Examination examination, Config config) {
        boolean tls = config.tls().isPresent();
        String origin = config.relyingParty().origin();
        config.tls().ifPresent(files -> {
            try {
                var certificate = (X509Certificate) files.identity().getCertificate("server");
                CertificateCheck.run(
                        examination, "TLS_CERTIFICATE", URI.create(origin).getHost(), certificate);
            } catch (KeyStoreException e) {
                throw new IllegalStateException("the key store is loaded", e);
            }
        });
        if (tls && !config.https()) {
            examination.problem(
                    "TLS_CERTIFICATE is set, but RP_ORIGIN is http",
                    "export RP_ORIGIN=" + origin.replaceFirst("^http:", "https:"));
        }
        if (config.https() && !tls && !config.get(Settings.TRUSTED_PROXIES).any()) {
            examination.problem(
                    "RP_ORIGIN is https and TLS_CERTIFICATE is not set, so there is a proxy, but TRUSTED_PROXIES is"
                            + " empty: all users would share one rate limit",
                    reader.fix(Settings.TRUSTED_PROXIES));
        }
        if (config.get(Settings.TRUSTED_PROXIES).anyWide()) {
            examination.problem(
                    "TRUSTED_PROXIES has a wide range: a client inside it could choose its own address",
                    reader.fix(Settings.TRUSTED_PROXIES)
                            .replaceFirst("#.*", "# the addresses of your proxies, one by one"));
        }
        if (!config.local() && config.get(Settings.SIGNUP)) {
            examination.warning("SIGNUP is open: anyone can sign up");
        }
        Languages.with(config.get(Settings.TEXTS_DIR))
                .faults()
                .forEach(fault -> examination.problem(
                        "TEXTS_DIR has " + fault,
                        "correct that file; client/src/porchlight/texts-en.js has all texts"));
    }

    /** Connects to the mail server and authenticates, and sends nothing. */
    private static void checkMail(Examination examination, SmtpUrl server) {
        Config config = examination.config();
        var party = config.relyingParty();
        String from = config.get(Settings.MAIL_FROM).orElseThrow();
        try {
            new SmtpServer(server, from, party.rpName(), party.origin(), examination.timeout()).check();
            examination.ok("the mail server " + server + " accepts connections");
        } catch (MailException e) {
            examination.problem(
                    "the mail server " + server + " cannot be used: "
                            + ClientCheck.printable(String.valueOf(e.getMessage())),
                    "export SMTP_URL=smtp://USER:PASSWORD@HOST:587   # or correct the mail server");
        }
    }

    /** Checks the signature verification of the crypto provider. */
    private static void checkCrypto(Examination examination) {
        SignatureProvider chosen = SignatureProvider.choose();
        examination.expect(
                chosen.fault() == null,
                "signatures are verified correctly with " + chosen.name()
                        + (chosen.nativeFault() == null ? "" : "; native provider unavailable: " + chosen.nativeFault())
                        + "; " + chosen.algorithms(),
                "the crypto provider is broken: " + chosen.fault(),
                "export JAVA_HOME=JDK   # a JDK with all security updates");
    }
}
