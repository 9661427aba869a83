// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.PublicSuffixes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Validates configured origins and relying party ids, so that a mistake is found at start and not at the first login. */
final class Origins {
    private static final String LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern HOST = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
    private static final Pattern WEB = Pattern.compile("(https?)://(" + HOST.pattern() + ")(?::([1-9][0-9]{0,4}))?");
    private static final Pattern ANDROID_APP = Pattern.compile("android:apk-key-hash(?:-sha256)?:[A-Za-z0-9_-]{43}");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");

    private Origins() {}

    /** Requires an origin as browsers write it: lower case, no default port, no path; https except for localhost. */
    static String requireWeb(String field, String origin) {
        Matcher parts = WEB.matcher(origin);
        if (!parts.matches()) {
            throw fault(field, origin, "is not an origin like https://example.com: lower case, no path, no slash");
        }
        String scheme = parts.group(1);
        String port = parts.group(3);
        if ("443".equals(port) && scheme.equals("https") || "80".equals(port) && scheme.equals("http")) {
            throw fault(field, origin, "names the default port, which browsers leave out");
        }
        if (scheme.equals("http") && !isThisMachine(parts.group(2))) {
            throw fault(field, origin, "must be https: browsers offer passkeys on http for localhost only");
        }
        return origin;
    }

    static String requireWebOrApp(String field, String origin) {
        return ANDROID_APP.matcher(origin).matches() ? origin : requireWeb(field, origin);
    }

    /** Requires a relying party id that pages of the origin may use: its host, or a parent domain with at least two labels. */
    static String requireRpId(String rpId, String origin) {
        if (!HOST.matcher(rpId).matches()
                || rpId.length() > 253
                || ADDRESS.matcher(rpId).matches()) {
            throw fault("rpId", rpId, "is not a domain name in lower case, without scheme and port");
        }
        String host = hostOf(origin);
        boolean parent = host.endsWith("." + rpId) && rpId.indexOf('.') > 0;
        if (!host.equals(rpId) && !parent) {
            throw fault("rpId", rpId, "is neither the host of " + origin + " nor a registrable parent of it");
        }
        if (PublicSuffixes.contains(rpId)) {
            throw fault(
                    "rpId", rpId, "is a public suffix, under which anyone can register a name: use your own domain");
        }
        return rpId;
    }

    private static String hostOf(String origin) {
        Matcher parts = WEB.matcher(origin);
        return parts.matches() ? parts.group(2) : "";
    }

    private static boolean isThisMachine(String host) {
        return host.equals("localhost") || host.endsWith(".localhost");
    }

    private static IllegalArgumentException fault(String field, String value, String fault) {
        return new IllegalArgumentException(field + " \"" + value + "\" " + fault);
    }
}
