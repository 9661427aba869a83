// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.Bytes;
import dev.porchlight.server.crypto.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The form of codes and refresh tokens: an authorization's id and step, with a MAC. Thread-safe. */
final class AuthorizationTokens {
    private static final Pattern TOKEN = Pattern.compile("([A-Za-z0-9_-]{22})\\.(\\d{1,9})\\.([A-Za-z0-9_-]{43})");

    /** With the secret in use, and with the one it replaces, if there is one. */
    private final List<KeyedHash> macs;

    AuthorizationTokens(List<byte[]> macKeys) {
        this.macs = macKeys.stream().map(KeyedHash::new).toList();
    }

    /** A token's id and step, after its MAC was verified. */
    record TokenStep(String id, int step) {}

    /** Reads a token; null if it is not genuine. */
    @Nullable
    TokenStep read(String token) {
        Matcher parts = TOKEN.matcher(token);
        if (!parts.matches()) {
            return null;
        }
        byte[] given = parts.group(3).getBytes(StandardCharsets.US_ASCII);
        String signed = parts.group(1) + '.' + parts.group(2);
        boolean genuine = macs.stream()
                .anyMatch(mac -> MessageDigest.isEqual(given, mac(mac, signed).getBytes(StandardCharsets.US_ASCII)));
        return genuine ? new TokenStep(parts.group(1), Integer.parseInt(parts.group(2))) : null;
    }

    /** The token of a step. */
    String of(String id, int step) {
        String signed = id + '.' + step;
        return signed + '.' + mac(macs.get(0), signed);
    }

    /** The pseudonyms of a user in the table, the one for new rows first. */
    List<String> owners(String userId) {
        return macs.stream().map(mac -> mac(mac, "owner " + userId)).toList();
    }

    private static String mac(KeyedHash mac, String text) {
        return Bytes.copyOf(mac.of(text.getBytes(StandardCharsets.UTF_8))).base64Url();
    }
}
