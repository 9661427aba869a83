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

/** Checks the service from its configuration to its public URL. Changes nothing. Not thread-safe. */
public final class Doctor {
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final X509ExtendedTrustManager trust;
    private final Duration timeout;

    /**
     * A doctor for the service that this environment configures.
     *
     * @param clock this machine's clock
     * @param trust decides which certificates browsers accept
     * @param timeout for each response of a service
     */
    Doctor(Map<String, String> environment, InstantSource clock, X509ExtendedTrustManager trust, Duration timeout) {
        this.environment = Map.copyOf(environment);
        this.clock = clock;
        this.trust = trust;
        this.timeout = timeout;
    }

    /** A doctor with the JDK's trust anchors. */
    public static Doctor of(Map<String, String> environment) {
        return new Doctor(environment, InstantSource.system(), RecordingTrust.ofTheJdk(), TIMEOUT);
    }

    /** Runs all checks in order. An invalid configuration is the only result, because the other checks depend on it. */
    public List<Diagnosis> examine(@Nullable URI url) {
        ConfigReader reader = new ConfigReader(environment);
        Config config;
        try {
            config = reader.config();
        } catch (InvalidConfigException e) {
            return e.faults().stream()
                    .map(fault -> Diagnosis.problem(fault.toString(), reader.fix(fault.setting())))
                    .toList();
        }
        List<Diagnosis> results = new ArrayList<>();
        results.add(Diagnosis.ok("the configuration is valid; passkeys belong to "
                + config.relyingParty().rpId() + " on " + config.relyingParty().origin()));
        results.addAll(new SettingCheck(config, reader.fix(Settings.TRUSTED_PROXIES), clock).run());
        results.addAll(new DirectoryCheck(config, clock).run());
        results.addAll(new DatabaseCheck(config, clock, url, timeout).run());
        results.addAll(new RedisCheck(config).run());
        results.add(crypto());
        results.addAll(new PortCheck(config, timeout).run());
        if (url != null) {
            results.addAll(new PublicCheck(config, url, clock, trust, timeout).run());
        }
        return results;
    }

    /** Checks the signature verification of the crypto provider. */
    private static Diagnosis crypto() {
        SignatureProvider chosen = SignatureProvider.choose();
        if (chosen.fault() != null) {
            return Diagnosis.problem(
                    "the crypto provider is broken: " + chosen.fault(),
                    "export JAVA_HOME=JDK   # a JDK with all security updates");
        }
        String note = chosen.nativeFault() == null ? "" : "; native provider unavailable: " + chosen.nativeFault();
        return Diagnosis.ok("signatures are verified correctly with " + chosen.name() + note);
    }
}
