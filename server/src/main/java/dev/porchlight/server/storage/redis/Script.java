// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script that the server runs as one step, and the digest by which it remembers the text.
 *
 * @param text in Lua; it touches the one key it is given
 */
record Script(String text, String digest) {

    static Script of(String... lines) {
        String text = String.join("\n", lines);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new Script(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
