// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.config.Setting.InvalidValueException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An Android app that shares passkeys with the relying party. Immutable.
 *
 * @param packageName the application id, such as {@code com.example.app}
 * @param fingerprint the SHA-256 fingerprint of the signing certificate, in upper-case hexadecimal with colons
 */
public record AndroidApp(String packageName, String fingerprint) {
    private static final Pattern FORM =
            Pattern.compile("([A-Za-z]\\w*(?:\\.[A-Za-z]\\w*)+)=((?:\\p{XDigit}{2}:){31}\\p{XDigit}{2})");

    /** Parses a comma-separated list of {@code PACKAGE=FINGERPRINT}. */
    static List<AndroidApp> parseList(String text) {
        return Parsers.list(text).stream().map(AndroidApp::parse).toList();
    }

    private static AndroidApp parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw InvalidValueException.quoting(
                    text,
                    "must be PACKAGE=FINGERPRINT, with the SHA-256 fingerprint that keytool -list -v prints, for example"
                            + " com.example.app=14:6D:E9:…");
        }
        return new AndroidApp(matcher.group(1), matcher.group(2).toUpperCase(Locale.ROOT));
    }

    /** The origin that Android writes into the client data of this app. */
    public String origin() {
        byte[] digest = HexFormat.ofDelimiter(":").parseHex(fingerprint);
        return "android:apk-key-hash:" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }
}
