// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import dev.porchlight.observe.ObservabilitySettings;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/** Reads the settings from Spring's environment, in which a property may have the name of an environment variable. */
final class SpringSettings {
    /**
     * Where Tomcat repeats, outside the request's trace, each exception that no handler caught. The filter has logged it.
     */
    private static final String REPEATED =
            "org.apache.catalina.core.ContainerBase.[Tomcat].[localhost].[/].[dispatcherServlet]=fatal,";

    private SpringSettings() {}

    static ObservabilitySettings read(ConfigurableEnvironment environment) {
        Map<String, String> variables = new HashMap<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> enumerable) {
                for (String name : enumerable.getPropertyNames()) {
                    String value = isVariable(name) ? environment.getProperty(name) : null;
                    if (value != null) {
                        variables.put(name, value);
                    }
                }
            }
        }
        variables.put("LOG_LEVEL", levels(environment) + variables.getOrDefault("LOG_LEVEL", ""));
        String service = environment.getProperty("spring.application.name", "application");
        return ObservabilitySettings.fromEnvironment(service, variables);
    }

    private static boolean isVariable(String name) {
        return name.startsWith("OTEL_")
                || name.startsWith("K_")
                || name.equals("LOG_LEVEL")
                || name.equals("SVC_READINESS_DELAY_MS")
                || name.equals("GOOGLE_CLOUD_PROJECT");
    }

    /** Returns {@code logging.level} in the form of {@code LOG_LEVEL}, which has the last word. */
    private static String levels(ConfigurableEnvironment environment) {
        StringBuilder levels = new StringBuilder(REPEATED);
        Binder.get(environment)
                .bind("logging.level", Bindable.mapOf(String.class, String.class))
                .orElse(Map.of())
                .forEach((name, level) -> levels.append(name.equalsIgnoreCase("root") ? "" : name + '=')
                        .append(level(level))
                        .append(','));
        return levels.toString();
    }

    private static String level(String level) {
        return switch (level) {
            case "OFF", "off", "false" -> "fatal"; // YAML reads an unquoted off as false
            default -> level;
        };
    }
}
