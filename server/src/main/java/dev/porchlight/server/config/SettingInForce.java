// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.observe.ObservabilitySettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The value of a variable that the service runs with.
 *
 * @param value as it may be shown; of a secret, whether it is set
 * @param source where the value comes from
 */
public record SettingInForce(Variable variable, String value, String source) {
    private static final String UNSET = "unset";

    /** Every variable, in order. One that is wrong has the value that was given. */
    public static List<SettingInForce> all(Map<String, String> variables) {
        Environment env = new Environment(variables);
        Config config = Config.draft(env, variables);
        return Stream.of(Variable.values())
                .map(variable -> {
                    String given = env.text(variable);
                    return given == null
                            ? new SettingInForce(variable, standard(variable, env, config), source(variable, config))
                            : new SettingInForce(variable, variable.shown(given), "environment");
                })
                .toList();
    }

    private static String standard(Variable variable, Environment env, Config config) {
        return switch (variable) {
            case HOST -> config.host();
            case RP_ORIGIN ->
                RelyingPartyReader.defaultOrigin(env, config.port()).orElse(UNSET);
            case DATABASE_URL -> config.storage().database().jdbc();
            case SESSION_SECRET -> UNSET;
            case SIGNUP -> config.auth().signupOpen() ? "open" : "closed";
            case SHUTDOWN_DELAY_MS -> Long.toString(config.shutdownDelay().toMillis());
            case OTEL_SERVICE_NAME ->
                ObservabilitySettings.fromEnvironment("porchlight", config.environment())
                        .tracing()
                        .serviceName();
            default -> variable.standard().startsWith(UNSET) ? UNSET : variable.standard();
        };
    }

    private static String source(Variable variable, Config config) {
        return variable == Variable.SESSION_SECRET && config.local()
                ? "default: generated in " + config.storage().dataDir()
                : "default";
    }
}
