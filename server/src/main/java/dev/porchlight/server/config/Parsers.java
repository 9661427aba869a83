// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.config.Setting.InvalidValueException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Parsers of single settings. They refuse a text with an {@link IllegalArgumentException} that says what is needed. */
final class Parsers {
    /** A service for this machine, with the library's defaults. */
    static final PasskeyConfig DEFAULTS = new PasskeyConfig("Porchlight", "localhost", "http://localhost");

    static final int SECRET_BYTES = 32;
    static final int TOKEN_CHARACTERS = 16;

    /** 32 random hexadecimal digits have fewer distinct ones in about one of a million cases. */
    static final int DISTINCT = 8;

    private Parsers() {}

    static String host(String text) {
        try {
            if (text.matches("[A-Za-z0-9._:%\\[\\]-]+") && InetAddress.getByName(text) != null) {
                return text;
            }
        } catch (UnknownHostException e) {
            // reported below
        }
        throw InvalidValueException.quoting(
                text,
                "an address of this machine is needed, or a host name that resolves to one, for example 127.0.0.1");
    }

    static String rpId(String text) {
        if (libraryFault(text, id -> new PasskeyConfig(DEFAULTS.rpName(), id, "https://" + id))
                .isPresent()) {
            throw InvalidValueException.quoting(
                    text, "a domain name in lower case is needed, without scheme and port, for example example.com");
        }
        if (PublicSuffixes.contains(text)) {
            throw new InvalidValueException(
                    "is " + text + ", a public suffix",
                    "anyone can register a name under it, and browsers refuse it: set your own domain, for example example."
                            + text);
        }
        return text;
    }

    static String origin(String text) {
        libraryFault(text, PasskeyConfig::requireOrigin).ifPresent(reason -> {
            throw InvalidValueException.quoting(text, reason);
        });
        return text;
    }

    static Set<String> relatedOrigins(String text) {
        List<String> refused = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (String origin : list(text)) {
            libraryFault(origin, related -> DEFAULTS.toBuilder().relatedOrigins(Set.of(related)))
                    .ifPresent(reason -> {
                        refused.add('"' + origin + '"');
                        reasons.add(reason);
                    });
        }
        if (!refused.isEmpty()) {
            throw new InvalidValueException("has " + String.join(", ", refused), String.join("; ", reasons));
        }
        return Set.copyOf(list(text));
    }

    static String sessionSecret(String text) {
        requireBytes(text, "at least " + SECRET_BYTES + " bytes are needed, as from: openssl rand -hex 32");
        return requireDistinct(text);
    }

    static String previousSecret(String text) {
        return requireBytes(text, "set the SESSION_SECRET that was replaced, or unset it");
    }

    static String adminToken(String text) {
        if (text.length() < TOKEN_CHARACTERS) {
            throw new InvalidValueException("is too short", "at least " + TOKEN_CHARACTERS + " characters are needed");
        }
        if (!text.matches("[ -~]+")) {
            throw new InvalidValueException(
                    "cannot be sent in a header", "printable ASCII is needed, as from: openssl rand -hex 32");
        }
        return requireDistinct(text);
    }

    static Thresholds logLevels(String text) {
        return Thresholds.parse(text, complaint -> {
            throw InvalidValueException.quoting(
                    text,
                    "one of trace, debug, info, warn, error and fatal is needed, or a list such as info,org.eclipse.jetty=debug");
        });
    }

    static String webAddress(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("(?i)https?")) {
                return text;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw InvalidValueException.quoting(text, "an address such as http://localhost:4318 is needed");
    }

    /** The elements of a comma-separated list. */
    static List<String> list(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(element -> !element.isEmpty())
                .toList();
    }

    private static String requireBytes(String secret, String needed) {
        if (secret.getBytes(StandardCharsets.UTF_8).length < SECRET_BYTES) {
            throw new InvalidValueException("is too short", needed);
        }
        return secret;
    }

    /** Refuses secrets that are obviously weak. Random ones in hexadecimal or base64 pass. */
    private static String requireDistinct(String secret) {
        long distinct = secret.codePoints().distinct().count();
        if (distinct < DISTINCT) {
            throw new InvalidValueException(
                    distinct == 1 ? "is one character repeated" : "has only " + distinct + " different characters",
                    "set a random value, as from: openssl rand -hex 32");
        }
        return secret;
    }

    /** Why the library refuses a text, without the library's own name for it. */
    private static Optional<String> libraryFault(String text, Consumer<String> check) {
        try {
            check.accept(text);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String quoted = '"' + text + '"';
            return Optional.of("it "
                    + message.substring(message.indexOf(quoted) + quoted.length())
                            .strip());
        }
    }
}
