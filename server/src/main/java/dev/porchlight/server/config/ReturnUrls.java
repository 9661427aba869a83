// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.config.Setting.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that the sign-in page may send users back to: paths of its origin, and absolute URLs that begin with a
 * configured one. Immutable.
 *
 * <p>Browsers parse URLs more liberally than {@link URI}. Texts that the two could read differently are refused: characters
 * outside printable ASCII, backslashes, user information, and encoded dots or slashes in a path.
 */
public final class ReturnUrls {
    private static final int MAX_LENGTH = 2048;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~&&[^\\\\]]{1," + MAX_LENGTH + "}");
    private static final Pattern AMBIGUOUS_PATH = Pattern.compile("(?i).*(%2e|%2f|%5c|//|/\\.{1,2}(/|$)).*");

    private final List<Prefix> prefixes;

    private record Prefix(String origin, String path) {
        boolean contains(Prefix other) {
            return origin.equals(other.origin)
                    && (path.endsWith("/")
                            ? other.path.startsWith(path)
                            : other.path.equals(path) || other.path.startsWith(path + '/'));
        }
    }

    private ReturnUrls(List<Prefix> prefixes) {
        this.prefixes = prefixes;
    }

    /** Parses a comma-separated list of absolute URLs. */
    static ReturnUrls parse(String text) {
        return new ReturnUrls(
                Parsers.list(text).stream().map(ReturnUrls::prefix).toList());
    }

    /** Whether the sign-in page may send a user to this address, which is a path or an absolute URL. */
    public boolean allows(String address) {
        if (!PRINTABLE.matcher(address).matches()) {
            return false;
        }
        if (address.startsWith("/")) {
            return !address.startsWith("//");
        }
        Prefix target = parseAbsolute(address);
        return target != null && prefixes.stream().anyMatch(prefix -> prefix.contains(target));
    }

    private static Prefix prefix(String text) {
        Prefix prefix = PRINTABLE.matcher(text).matches() && text.matches("[^?#]*") ? parseAbsolute(text) : null;
        if (prefix == null || !prefix.origin.matches("https://.*|http://localhost(:.*)?")) {
            throw new InvalidValueException(
                    "has \"" + text + '"',
                    "an https URL without query or fragment is needed, such as https://app.example.com/");
        }
        return prefix;
    }

    private static @Nullable Prefix parseAbsolute(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            return null;
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean web = scheme.equals("https") || scheme.equals("http");
        String path = uri.getRawPath();
        if (!web || uri.getHost() == null || uri.getRawUserInfo() != null || path == null) {
            return null;
        }
        // A colon without a port is legal, but no browser writes it.
        if (uri.getRawAuthority().endsWith(":") || AMBIGUOUS_PATH.matcher(path).matches()) {
            return null;
        }
        int defaultPort = scheme.equals("https") ? 443 : 80;
        String port = uri.getPort() < 0 || uri.getPort() == defaultPort ? "" : ":" + uri.getPort();
        String origin = scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + port;
        return new Prefix(origin, path.isEmpty() ? "/" : path);
    }
}
