// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The Public Suffix List: domains under which anyone can register a name, such as {@code co.uk} and {@code github.io}. It is
 * read again for each lookup, which is rare.
 */
public final class PublicSuffixes {
    private static final String RESOURCE = "public-suffixes.txt";

    private PublicSuffixes() {}

    /** Returns the part of a host name that was registered: {@code example.co.uk} of {@code login.example.co.uk}. */
    public static String registrable(String host) {
        for (int dot = host.lastIndexOf('.', host.lastIndexOf('.') - 1);
                dot >= 0;
                dot = host.lastIndexOf('.', dot - 1)) {
            if (!contains(host.substring(dot + 1))) {
                return host.substring(dot + 1);
            }
        }
        return host;
    }

    /** Returns whether a domain is on the list. Unlisted names such as {@code intranet} are not. */
    public static boolean contains(String domain) {
        String rules = rules();
        int dot = domain.indexOf('.');
        boolean listed = isLine(domain, rules) || dot > 0 && isLine("*" + domain.substring(dot), rules);
        return listed && !isLine("!" + domain, rules);
    }

    private static boolean isLine(String line, String text) {
        return line.indexOf('\n') < 0 && text.contains('\n' + line + '\n');
    }

    private static String rules() {
        try (InputStream list = Objects.requireNonNull(PublicSuffixes.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return new String(list.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
