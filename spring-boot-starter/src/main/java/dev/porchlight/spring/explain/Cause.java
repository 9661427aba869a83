// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What operators read about a code. The words are those of the service's console, whose file is packed into the starter, except
 * where {@code starter.properties} has others. Its settings appear as the properties of a Spring Boot application.
 *
 * @param what a sentence that says what happened
 * @param advice what to do
 * @param settings the names of related properties
 */
public record Cause(String code, String what, String advice, List<String> settings) {
    private static final Map<String, String> PROPERTIES = Map.of(
            "RP_ID", "porchlight.rp-id",
            "RP_ORIGIN", "porchlight.origin",
            "RP_RELATED_ORIGINS", "porchlight.related-origins",
            "USER_VERIFICATION", "porchlight.user-verification",
            "ALGORITHMS", "porchlight.algorithms",
            "SIGN_COUNT_POLICY", "porchlight.sign-count-policy",
            "CHALLENGE_TTL_MS", "porchlight.challenge-ttl",
            "MAX_PASSKEYS_PER_USER", "porchlight.max-passkeys-per-user",
            "SESSION_SECRET", "porchlight.challenge-key",
            "DATABASE_URL", "spring.datasource.url");

    private static final Properties TEXTS = load();

    public Cause {
        settings = List.copyOf(settings);
    }

    /** A cause without advice. */
    public Cause(String code, String what) {
        this(code, what, "", List.of());
    }

    /**
     * Returns the cause with a code; null for an unknown code.
     *
     * @param source {@code step}, {@code browser}, {@code user} or {@code service}
     */
    public static @Nullable Cause find(String source, String code) {
        String key = source + '.' + code;
        String what = TEXTS.getProperty(key + ".what");
        if (what == null) {
            return null;
        }
        String advice = TEXTS.getProperty(key + ".advice", "");
        if (advice.startsWith("@")) {
            advice = TEXTS.getProperty("advice." + advice.substring(1), "");
        }
        for (var property : PROPERTIES.entrySet()) {
            advice = advice.replace(property.getKey() + '=', property.getValue() + '=');
        }
        List<String> settings = Stream.of(
                        TEXTS.getProperty(key + ".settings", "").split(", ", -1))
                .map(PROPERTIES::get)
                .filter(Objects::nonNull)
                .toList();
        return new Cause(code, what, advice, settings);
    }

    private static Properties load() {
        var texts = new Properties();
        for (String name : List.of("causes.properties", "starter.properties")) {
            try (InputStream file = Cause.class.getResourceAsStream(name)) {
                texts.load(new InputStreamReader(Objects.requireNonNull(file), UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return texts;
    }
}
