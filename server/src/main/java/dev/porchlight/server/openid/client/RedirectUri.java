// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules for redirect URIs: which can be registered, and when a requested one matches. */
final class RedirectUri {
    private static final int MAX_LENGTH = 2_000;
    private static final int MAX_PORT = 65_535;
    private static final Set<String> LOOPBACK_ADDRESSES = Set.of("127.0.0.1", "[::1]");

    /** RFC 8252, section 7.1: a private-use scheme is a domain name in reverse. */
    private static final Pattern PRIVATE_USE_SCHEME = Pattern.compile("[a-z][a-z0-9+-]*(\\.[a-z0-9+-]+)+");

    /** No wildcard, quote, backslash, blank or control character. */
    private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9:/?#\\[\\]@!$&'()+,;=._~%-]+");

    private static final Pattern DOT_SEGMENT =
            Pattern.compile("/(\\.|%2e){1,2}(/|$)|%2f|%5c", Pattern.CASE_INSENSITIVE);

    private RedirectUri() {}

    /** Why the URI cannot be registered, or nothing if it can. */
    static Optional<String> problem(String text) {
        if (text.length() > MAX_LENGTH || !CHARACTERS.matcher(text).matches()) {
            return Optional.of("must be a URI of at most " + MAX_LENGTH + " characters, without wildcards");
        }
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            return Optional.of("is not a valid URI");
        }
        String scheme = uri.getScheme();
        if (scheme == null || uri.getRawFragment() != null) {
            return Optional.of("must be absolute and have no fragment");
        }
        if (uri.getRawPath() != null && DOT_SEGMENT.matcher(uri.getRawPath()).find()) {
            return Optional.of("must not contain dot segments or encoded slashes");
        }
        String host = uri.getHost();
        boolean privateUse = PRIVATE_USE_SCHEME.matcher(scheme).matches();
        if (host == null && !privateUse || uri.getRawUserInfo() != null || uri.getPort() > MAX_PORT) {
            return Optional.of("must have a host, a valid port if any, and no user name");
        }
        if (privateUse) {
            return Optional.empty();
        }
        boolean loopback = host != null && (LOOPBACK_ADDRESSES.contains(host) || host.equals("localhost"));
        return scheme.equals("https") || scheme.equals("http") && loopback
                ? Optional.empty()
                : Optional.of("must be https; http is accepted only for localhost, 127.0.0.1 and [::1]");
    }

    /** Whether the client registered this URI. Native applications may use any port of a loopback address (RFC 8252, 7.3). */
    static boolean isRegistered(Client client, String requested) {
        List<String> registered = client.settings().redirectUris();
        return registered.contains(requested)
                || client.isPublic()
                        && problem(requested).isEmpty()
                        && registered.stream().anyMatch(uri -> differsInLoopbackPortOnly(uri, requested));
    }

    private static boolean differsInLoopbackPortOnly(String registered, String requested) {
        URI one = URI.create(registered);
        URI other = URI.create(requested);
        return one.getHost() != null
                && LOOPBACK_ADDRESSES.contains(one.getHost())
                && "http".equals(one.getScheme())
                && withoutPort(registered, one).equals(withoutPort(requested, other));
    }

    private static String withoutPort(String text, URI uri) {
        String port = ":" + uri.getPort();
        int start =
                "http://".length() + (uri.getHost() == null ? 0 : uri.getHost().length());
        return uri.getPort() >= 0 && text.startsWith(port, start)
                ? text.substring(0, start) + text.substring(start + port.length())
                : text;
    }

    /** The web origin of a redirect URI, for CORS; empty for a private-use scheme. */
    static Optional<String> origin(String text) {
        URI uri = URI.create(text);
        return uri.getHost() == null
                        || PRIVATE_USE_SCHEME.matcher(uri.getScheme()).matches()
                ? Optional.empty()
                : Optional.of(uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()));
    }
}
