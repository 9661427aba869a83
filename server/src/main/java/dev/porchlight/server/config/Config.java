// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.storage.DatabaseUrl;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the environment variables amount to, valid as a whole.
 *
 * @param managementPort where /metrics and /health/* live, when not on {@code port}
 * @param tls what is shown in TLS handshakes; absent for plain HTTP
 * @param canary how often the service tries itself; absent for never
 * @param shutdownDelay how long requests are still taken after readiness went down
 * @param shutdownTimeout how long requests under way may take to end after that
 * @param environment the variables themselves, for the observability library, which has its own conventions
 */
public record Config(
        String host,
        int port,
        OptionalInt managementPort,
        Optional<TlsFiles> tls,
        PasskeyConfig relyingParty,
        StorageConfig storage,
        AuthConfig auth,
        Optional<Duration> canary,
        int maxBodyBytes,
        Duration shutdownDelay,
        Duration shutdownTimeout,
        Map<String, String> environment) {
    public static final int LAST_PORT = 65_535;
    private static final int HOUR_MS = 3_600_000;

    public Config {
        environment = Map.copyOf(environment);
    }

    /** Reads the variables, all of them, and then refuses if any is wrong. */
    public static Config read(Map<String, String> variables) throws InvalidConfigException {
        Environment env = new Environment(variables);
        Config config = draft(env, variables);
        if (!env.faults().isEmpty()) {
            throw new InvalidConfigException(env.faults());
        }
        return config;
    }

    /** What the variables amount to, with the default in place of each that is wrong; the faults are in the environment. */
    static Config draft(Environment env, Map<String, String> variables) {
        boolean cloud = env.text(Variable.K_SERVICE) != null;
        String host = env.text(
                Variable.HOST,
                cloud ? "0.0.0.0" : "127.0.0.1",
                value -> value.matches("[A-Za-z0-9._:%\\[\\]-]+") && resolves(value),
                "an address of this machine is needed, or a host name that resolves to one, for example 127.0.0.1");
        int port = env.number(Variable.PORT, 8080, 0, LAST_PORT);
        OptionalInt managementPort = env.text(Variable.MANAGEMENT_PORT) == null
                ? OptionalInt.empty()
                : OptionalInt.of(env.number(Variable.MANAGEMENT_PORT, 0, 0, LAST_PORT));
        if (port != 0 && managementPort.orElse(0) == port && !env.isFaulty(Variable.PORT)) {
            env.fault(Variable.MANAGEMENT_PORT, "is PORT", "leave it unset to serve everything on one port");
        }
        env.number(Variable.SVC_READINESS_DELAY_MS, 0, 0, HOUR_MS);
        env.text(
                Variable.LOG_LEVEL,
                "info",
                Config::isLogLevel,
                "one of trace, debug, info, warn, error and fatal is needed, or a list such as info,org.eclipse.jetty=debug");
        env.checkWebAddress(Variable.OTEL_EXPORTER_OTLP_ENDPOINT);
        PasskeyConfig relyingParty = RelyingPartyReader.read(env, port);
        Config config = new Config(
                host,
                port,
                managementPort,
                TlsReader.read(env),
                relyingParty,
                StorageConfig.read(env),
                AuthConfig.read(env, RelyingPartyReader.isLocal(env)),
                canary(env),
                env.number(Variable.MAX_BODY_BYTES, 65_536, 1_024, 16 * 1_024 * 1_024),
                millis(env.number(Variable.SHUTDOWN_DELAY_MS, isLoopback(host) ? 0 : 3_000, 0, HOUR_MS)),
                millis(env.number(Variable.SHUTDOWN_TIMEOUT_MS, 10_000, 0, HOUR_MS)),
                variables);
        if (config.needsDataDir()) {
            config.storage().checkDataDir(env);
        }
        return config;
    }

    /** Whether anything is kept in the data directory: the embedded database or the generated secret. */
    public boolean needsDataDir() {
        return auth.sessionSecret().isEmpty() || storage.database().engine() == DatabaseUrl.Engine.SQLITE;
    }

    /** Seldom enough to cost nothing, and often enough for the alerts, which look back ten minutes. */
    private static Optional<Duration> canary(Environment env) {
        return env.text(Variable.CANARY_SECONDS) == null
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(env.number(Variable.CANARY_SECONDS, 60, 1, 180)));
    }

    /** Whether this is a service for its own machine, which may be lenient where nobody else can reach it. */
    public boolean local() {
        return relyingParty.rpId().equals("localhost");
    }

    /** Whether browsers reach the pages over https. */
    public boolean https() {
        return relyingParty.origin().startsWith("https:");
    }

    private static boolean resolves(String host) {
        try {
            return InetAddress.getByName(host) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Whether we run on Google Cloud, where logs have a format of their own. */
    public boolean cloud() {
        return !environment.getOrDefault(Variable.K_SERVICE.name(), "").isBlank();
    }

    /** Whether only this machine can reach us. */
    public boolean loopback() {
        return isLoopback(host);
    }

    /** The host, as it stands in an address, at which this machine finds us: where we are on all, the one that never leaves it. */
    public String ownHost() {
        String found = host;
        try {
            if (InetAddress.getByName(host).isAnyLocalAddress()) {
                found = InetAddress.getLoopbackAddress().getHostAddress();
            }
        } catch (UnknownHostException e) {
            // connecting will say the same
        }
        return found.contains(":") && !found.startsWith("[") ? '[' + found + ']' : found;
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1") || host.equals("[::1]");
    }

    private static boolean isLogLevel(String value) {
        List<String> complaints = new ArrayList<>();
        Thresholds.parse(value, complaints::add);
        return complaints.isEmpty();
    }

    private static Duration millis(int millis) {
        return Duration.ofMillis(millis);
    }
}
