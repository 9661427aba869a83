// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.wire.JsonObject;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The origin of a page, and the rules for its relying party id. */
record Origin(String scheme, String host, int port) {
    static Origin parse(String text) {
        URI uri = URI.create(text);
        String host = uri.getHost();
        if (host == null || uri.getScheme() == null || !uri.getRawPath().isEmpty()) {
            throw new IllegalArgumentException("not an origin: " + text);
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean usual = uri.getPort() == (scheme.equals("https") ? 443 : 80);
        return new Origin(scheme, host.toLowerCase(Locale.ROOT), usual ? -1 : uri.getPort());
    }

    /**
     * Returns the relying party id if the page may use it, or throws a SecurityError. Allowed are its own host, a parent that is
     * not a top-level domain, and any id whose well-known document lists this origin.
     */
    String rpId(String wanted, Function<String, String> wellKnown) {
        boolean local = host.equals("localhost") || host.endsWith(".localhost");
        if (!scheme.equals("https") && !(scheme.equals("http") && local)) {
            throw new DomException("SecurityError", this + " is not a secure context");
        }
        if (host.matches("[0-9.]+|\\[.*]")) {
            throw new DomException("SecurityError", this + " is an address, not a domain");
        }
        boolean parent = wanted.contains(".") && host.endsWith("." + wanted);
        if (!wanted.equals(host) && !parent && !isListed(wellKnown.apply(wanted))) {
            throw new DomException("SecurityError", wanted + " is neither a parent of " + host + " nor related to it");
        }
        return wanted;
    }

    private boolean isListed(String document) {
        return JsonObject.parse(document).get("origins") instanceof List<?> origins && origins.contains(toString());
    }

    @Override
    public String toString() {
        return scheme + "://" + host + (port < 0 ? "" : ":" + port);
    }
}
