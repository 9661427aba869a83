// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.ConfigReader;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.SignatureProvider;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Examines the service from its configuration to its public address. Changes nothing. For one thread. */
public final class Doctor {
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final X509ExtendedTrustManager trust;
    private final Duration timeout;

    /**
     * A doctor for the service that this environment configures.
     *
     * @param clock what this machine takes for the time
     * @param trust which certificates browsers would accept
     * @param timeout for each response of a service
     */
    Doctor(Map<String, String> environment, InstantSource clock, X509ExtendedTrustManager trust, Duration timeout) {
        this.environment = Map.copyOf(environment);
        this.clock = clock;
        this.trust = trust;
        this.timeout = timeout;
    }

    /** A doctor that trusts whom the JDK trusts. */
    public static Doctor of(Map<String, String> environment) {
        return new Doctor(environment, InstantSource.system(), Trust.ofTheJdk(), TIMEOUT);
    }

    /** Everything found, in the order it was looked at. Where the configuration is wrong, the rest must wait. */
    public List<Finding> examine(@Nullable URI url) {
        ConfigReader reader = new ConfigReader(environment);
        Config config;
        try {
            config = reader.config();
        } catch (InvalidConfigException e) {
            return e.faults().stream()
                    .map(fault -> Finding.wrong(fault.toString(), reader.fix(fault.setting())))
                    .toList();
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.fine("the configuration is valid; passkeys are for "
                + config.relyingParty().rpId() + " on " + config.relyingParty().origin()));
        findings.addAll(new SettingCheck(config, reader.fix(Settings.TRUSTED_PROXIES), clock).findings());
        findings.addAll(new DirectoryCheck(config, clock).findings());
        findings.addAll(new DatabaseCheck(config, clock).findings());
        findings.addAll(new RedisCheck(config).findings());
        findings.add(crypto());
        findings.addAll(new PortCheck(config, timeout).findings());
        if (url != null) {
            findings.addAll(new PublicCheck(config, url, clock, trust, timeout).findings());
        }
        return findings;
    }

    /** Whether signatures are judged right here, and by what. */
    private static Finding crypto() {
        SignatureProvider chosen = SignatureProvider.choose();
        if (chosen.fault() != null) {
            return Finding.wrong(
                    "the crypto provider is broken: " + chosen.fault(),
                    "export JAVA_HOME=JDK   # a JDK with all security updates");
        }
        String slower = chosen.passedOver() == null ? "" : "; not by the native provider: " + chosen.passedOver();
        return Finding.fine("signatures are judged right, by " + chosen.name() + slower);
    }
}
