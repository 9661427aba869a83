// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The Public Suffix List: domains under which anyone can register a name, such as {@code co.uk} and {@code github.io}. It is
 * read line by line for each lookup, which is rare.
 */
public final class PublicSuffixes {
    private static final String RESOURCE = "public-suffixes.txt";

    private PublicSuffixes() {}

    /** The part of a host name that was registered: {@code example.co.uk} of {@code login.example.co.uk}. */
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

    /** Whether a domain is on the list. Unlisted names such as {@code intranet} are not. */
    static boolean contains(String domain) {
        String anyName = "*" + domain.substring(Math.max(0, domain.indexOf('.')));
        String exception = "!" + domain;
        boolean listed = false;
        InputStream list = Objects.requireNonNull(PublicSuffixes.class.getResourceAsStream(RESOURCE), RESOURCE);
        try (var lines = new BufferedReader(new InputStreamReader(list, StandardCharsets.US_ASCII))) {
            for (String rule = lines.readLine(); rule != null; rule = lines.readLine()) {
                if (rule.equals(exception)) {
                    return false;
                }
                listed |= rule.equals(domain) || domain.indexOf('.') > 0 && rule.equals(anyName);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return listed;
    }
}
