// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.crypto.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** The operator, or the backend, that sent a request, with the label of its credential in audit rows. */
public record Operator(String label) {
    private static final int FINGERPRINT_BYTES = 4;
    private static final int MAX_NAME = 32;

    /**
     * The caller of the admin routes, labeled {@code token:} and a fingerprint of the admin token, or {@code local} without a
     * token. The fingerprint is keyed, so that the audit log cannot be used to guess a token.
     */
    public static Operator of(Optional<String> adminToken, byte[] key) {
        return new Operator(adminToken
                .map(token -> "token:"
                        + HexFormat.of()
                                .formatHex(
                                        new KeyedHash(key).of(token.getBytes(StandardCharsets.UTF_8)),
                                        0,
                                        FINGERPRINT_BYTES))
                .orElse("local"));
    }

    /** The label of commands: {@code cli:} and the name of the system user. */
    public static String commandLine() {
        String name = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "");
        return "cli:" + name.substring(0, Math.min(name.length(), MAX_NAME));
    }
}
