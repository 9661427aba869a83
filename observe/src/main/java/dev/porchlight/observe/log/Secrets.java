// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.List;
import java.util.Locale;

/** Detects field names whose values must not be logged. */
final class Secrets {
    static final String REDACTED = "[redacted]";

    /**
     * Compared with the end of a name, case-insensitively and without separators, so that {@code token} also covers
     * {@code access_token}, {@code X-Admin-Token} and {@code idTokens}, but not {@code tokenTtlSeconds}.
     */
    private static final List<String> ENDINGS = List.of(
            "authorization",
            "cookie",
            "password",
            "passwd",
            "passphrase",
            "secret",
            "token",
            "jwt",
            "apikey",
            "privatekey",
            "sessionid",
            "challenge",
            "clientdatajson",
            "authenticatordata",
            "attestationobject",
            "signature",
            "userhandle");

    private Secrets() {}

    static boolean covers(String name) {
        StringBuilder letters = new StringBuilder(name.length());
        name.chars().filter(Character::isLetterOrDigit).forEach(c -> letters.append((char) c));
        String plain = letters.toString().toLowerCase(Locale.ROOT);
        String singular = plain.endsWith("s") ? plain.substring(0, plain.length() - 1) : plain;
        return ENDINGS.stream().anyMatch(singular::endsWith);
    }
}
