// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.CLIENT_DATA;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Mutations of the origin that pass partial comparisons. */
final class OriginMutations extends MutationTable {
    OriginMutations() {
        inBoth("7.1.6", "7.2.10", "");
        invalid(
                "origin-missing",
                "leaves the origin out",
                edit(CLIENT_DATA, it -> it.members().remove("origin")));
        invalid(
                "origin-not-a-string",
                "has a list with our origin in it",
                edit(CLIENT_DATA, it -> it.members().put("origin", List.of(it.origin()))));

        inBoth("7.1.9", "7.2.13", "T25");
        origin("origin-of-another-site", "comes from another site", it -> "https://evil.test");
        origin("origin-as-a-prefix", "comes from a site whose name starts with ours", it -> it + ".evil.test");
        origin("origin-as-a-suffix", "comes from a site whose name ends with ours", it -> it.replace("://", "://evil"));
        origin("origin-of-a-subdomain", "comes from a subdomain", it -> it.replace("://", "://sub."));
        origin("origin-over-another-scheme", "comes from our host over another scheme", OriginMutations::otherScheme);
        origin("origin-on-another-port", "comes from another port of our host", it -> withoutPort(it) + ":8443");
        origin("origin-with-the-default-port", "has an explicit default port", it -> withoutPort(it) + ":443");
        origin(
                "origin-in-capitals",
                "writes the host in capitals",
                it -> "https://" + it.substring(it.indexOf("://") + 3).toUpperCase(Locale.ROOT));
        origin("origin-with-a-slash", "ends with a slash", it -> it + "/");
        origin("origin-with-a-path", "has a path", it -> it + "/login");
        origin("origin-with-a-trailing-dot", "ends the host with a dot", it -> it + ".");
        origin("origin-behind-user-info", "has our host as user info of another host", it -> it + "@evil.test");
        origin("origin-in-a-query", "has our origin in the query of another", it -> "https://evil.test?" + it);
        origin("origin-with-a-line-break", "has another origin on a second line", it -> it + "\nhttps://evil.test");
        origin("origin-with-a-nul", "has text after a NUL", it -> it + "\u0000.evil.test");
        origin(
                "origin-in-cyrillic",
                "replaces a Latin letter with its Cyrillic look-alike",
                it -> swapLast(it, "\u0430"));
        origin(
                "origin-in-punycode",
                "replaces a letter with its Cyrillic look-alike in punycode",
                it -> swapLast(it, "xn--80a"));
        origin("origin-opaque", "comes from an opaque origin", it -> "null");
        origin(
                "origin-of-an-app",
                "comes from an Android app that is not configured",
                it -> "android:apk-key-hash:" + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        origin("origin-empty", "has an empty origin", it -> "");
    }

    private void origin(String name, String description, UnaryOperator<String> change) {
        invalid(name, description, edit(CLIENT_DATA, it -> it.members().put("origin", change.apply(it.origin()))));
    }

    private static String otherScheme(String origin) {
        return origin.startsWith("https:") ? "http" + origin.substring(5) : "https" + origin.substring(4);
    }

    private static String withoutPort(String origin) {
        return origin.replaceFirst(":[0-9]+$", "");
    }

    /** Replaces the last letter of the host name. */
    private static String swapLast(String origin, String by) {
        return origin.replaceFirst("[a-z]([^a-z]*)$", by + "$1");
    }
}
