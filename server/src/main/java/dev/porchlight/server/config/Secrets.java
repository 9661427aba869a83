// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.config.Setting.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parsers of secrets, which refuse weak ones, and what recognizes the secrets of examples. */
final class Secrets {
    static final int SECRET_BYTES = 32;
    static final int TOKEN_CHARACTERS = 16;

    /** Fewer distinct digits occur in about one of a million random strings of 32 hexadecimal digits. */
    static final int DISTINCT = 8;

    private static final List<String> EXAMPLE_WORDS =
            List.of("change", "example", "openssl", "password", "porchlight", "replace", "secret", "token");

    private static final Pattern URL_PASSWORD = Pattern.compile("(?<=://[^:/@]{0,99}:).+(?=@)|(?<=[?&]password=)[^&]+");

    private Secrets() {}

    static String session(String text) {
        requireBytes(text, "must have at least " + SECRET_BYTES + " bytes, for example: openssl rand -hex 32");
        return requireDistinct(text);
    }

    static String previous(String text) {
        return requireDistinct(requireBytes(text, "set the SESSION_SECRET that was replaced, or unset it"));
    }

    static String adminToken(String text) {
        if (text.length() < TOKEN_CHARACTERS) {
            throw new InvalidValueException("is too short", "must have at least " + TOKEN_CHARACTERS + " characters");
        }
        if (!text.matches("[ -~]+")) {
            throw new InvalidValueException(
                    "cannot be sent in a header", "must be printable ASCII, for example: openssl rand -hex 32");
        }
        return requireDistinct(text);
    }

    /** Whether the URL of a database has a password that consists of words that examples have, and perhaps digits. */
    static boolean hasExamplePassword(String url) {
        Matcher password = URL_PASSWORD.matcher(url);
        if (!password.find()) {
            return false;
        }
        String text = password.group().toLowerCase(Locale.ROOT);
        String rest = text.replaceAll(String.join("|", EXAMPLE_WORDS), "");
        return !rest.equals(text) && rest.chars().noneMatch(Character::isLetter);
    }

    /** Whether a secret has a word that examples have. Random hexadecimal never does, base64 in one of a million. */
    static boolean isExample(String secret) {
        String text = secret.toLowerCase(Locale.ROOT);
        return EXAMPLE_WORDS.stream().anyMatch(text::contains);
    }

    private static String requireBytes(String secret, String fix) {
        if (secret.getBytes(StandardCharsets.UTF_8).length < SECRET_BYTES) {
            throw new InvalidValueException("is too short", fix);
        }
        return secret;
    }

    /** Refuses obviously weak secrets. Random hexadecimal or base64 passes. */
    private static String requireDistinct(String secret) {
        long distinct = secret.codePoints().distinct().count();
        if (distinct < DISTINCT) {
            throw new InvalidValueException(
                    distinct == 1 ? "is one character repeated" : "has only " + distinct + " different characters",
                    "set a random value, for example: openssl rand -hex 32");
        }
        return secret;
    }
}
