// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.Bytes;
import dev.porchlight.server.crypto.KeyedHash;
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
        Bytes given = Bytes.ofUtf8(parts.group(3));
        String signed = parts.group(1) + '.' + parts.group(2);
        boolean genuine = macs.stream().anyMatch(mac -> given.equalsInConstantTime(Bytes.ofUtf8(mac.base64Of(signed))));
        return genuine ? new TokenStep(parts.group(1), Integer.parseInt(parts.group(2))) : null;
    }

    /** The token of a step. */
    String of(String id, int step) {
        String signed = id + '.' + step;
        return signed + '.' + macs.get(0).base64Of(signed);
    }

    /** The pseudonyms of a user in the table, the one for new rows first. */
    List<String> owners(String userId) {
        return macs.stream().map(mac -> mac.base64Of("owner " + userId)).toList();
    }
}
