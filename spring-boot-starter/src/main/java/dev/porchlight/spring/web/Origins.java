// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.PasskeyConfig;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The origins whose pages may use the passkey routes. Immutable.
 *
 * @param own the origin of the application's pages
 * @param all that origin, and then the related ones
 */
record Origins(String own, Set<String> all) {
    static Origins of(PasskeyConfig config) {
        Set<String> all = new LinkedHashSet<>();
        all.add(config.origin());
        all.addAll(config.relatedOrigins());
        return new Origins(config.origin(), all);
    }

    /**
     * Returns whether a page of another site sent the request. An Origin header must name a configured origin; without
     * one, Sec-Fetch-Site must be same-origin or none. Clients other than browsers send neither header.
     */
    boolean isCrossSite(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin != null) {
            return !all.contains(origin);
        }
        String site = request.getHeader("Sec-Fetch-Site");
        return site != null && !site.equals("same-origin") && !site.equals("none");
    }

    /** Returns the origin of a page of this application that was opened at an address that is not configured; otherwise null. */
    @Nullable
    String wrongAddress(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin == null || all.contains(origin)) {
            return null;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        // Browsers send it to https and loopback addresses only.
        boolean ownPage = site == null
                ? origin.replaceFirst("^https?://", "").equals(request.getHeader("Host"))
                : site.equals("same-origin");
        return ownPage ? origin : null;
    }
}
