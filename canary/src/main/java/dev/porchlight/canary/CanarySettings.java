// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a canary, from its command line and environment.
 *
 * @param url the public address of the service, without a slash at the end
 * @param adminUrl the address of its admin routes
 * @param origin the origin of its pages
 * @param user the id of the user whose passkeys the canary registers
 * @param every the interval between rounds
 * @param once whether to run one round and exit
 */
public record CanarySettings(
        String url,
        String adminUrl,
        String origin,
        String user,
        String adminToken,
        Duration every,
        String host,
        int port,
        boolean once) {
    private static final Set<String> OPTIONS =
            Set.of("--origin", "--admin-url", "--user", "--every", "--host", "--port");

    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]", Pattern.CASE_INSENSITIVE);

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException if it is invalid; the message is for the user
     */
    public static CanarySettings parse(List<String> arguments, Map<String, String> environment) {
        String url = null;
        boolean once = false;
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--once")) {
                once = true;
            } else if (OPTIONS.contains(argument)) {
                if (++i == arguments.size()) {
                    throw new IllegalArgumentException(argument + " needs a value");
                }
                given.put(argument, arguments.get(i));
            } else if (argument.startsWith("-") || url != null) {
                throw new IllegalArgumentException("unknown argument " + argument);
            } else {
                url = address(argument);
            }
        }
        if (url == null) {
            throw new IllegalArgumentException("the URL of the service is missing");
        }
        String token = environment.getOrDefault("ADMIN_TOKEN", "").strip();
        if (token.isEmpty()) {
            throw new IllegalArgumentException("ADMIN_TOKEN must be in the environment");
        }
        if (!token.matches("[ -~]+")) {
            // not quoted: the message is printed
            throw new IllegalArgumentException("ADMIN_TOKEN must consist of printable ASCII characters");
        }
        return new CanarySettings(
                url,
                address(given.getOrDefault("--admin-url", url)),
                given.getOrDefault("--origin", origin(url)),
                given.getOrDefault("--user", "canary"),
                token,
                Duration.ofSeconds(number(given, "--every", 60, 1, 180)),
                given.getOrDefault("--host", "127.0.0.1"),
                number(given, "--port", 9_464, 0, 65_535),
                once);
    }

    private static String address(String text) {
        URI uri = parsed(text);
        if (uri == null
                || uri.getHost() == null
                || !Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
            throw new IllegalArgumentException(text + " must be an http or https URL");
        }
        if (!"https".equals(uri.getScheme()) && !LOOPBACK.matcher(uri.getHost()).matches()) {
            throw new IllegalArgumentException(
                    text + " must be an https URL: the admin token is sent there. Only loopback hosts may use http");
        }
        return text.replaceAll("/+$", "");
    }

    private static @Nullable URI parsed(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String origin(String url) {
        URI uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    private static int number(Map<String, String> given, String option, int absent, int least, int most) {
        String text = given.get(option);
        if (text == null) {
            return absent;
        }
        int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
        if (number < least || number > most) {
            throw new IllegalArgumentException(option + " must be a number from " + least + " to " + most);
        }
        return number;
    }

    /** Leaves the token out. */
    @Override
    public String toString() {
        return "canary of " + url;
    }
}
