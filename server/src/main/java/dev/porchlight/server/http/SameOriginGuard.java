// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.List;
import java.util.Set;

/**
 * Refuses requests that another site makes a browser send: those that change something, and all requests to the auth, admin
 * and console routes.
 *
 * <ul>
 *   <li>{@code Sec-Fetch-Site}, where present, must be {@code same-origin} or {@code none}. Any other value is refused, unless
 *       the page is of a configured origin elsewhere.
 *   <li>{@code Origin}, where present, must be configured, or the origin that the request goes to where a page of another
 *       site cannot be it: in localhost mode, whose hosts are loopback, and on routes that need the operator's token.
 *   <li>In localhost mode the host must be loopback. A site whose name is made to resolve to this machine (DNS rebinding)
 *       has the same origin as the service in the browser's eyes, but not its name. The canary uses the address that the
 *       service listens on.
 * </ul>
 *
 * Clients that are no browsers send neither header.
 */
public final class SameOriginGuard implements Middleware {
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<String> OTHER_SITE = Set.of("same-site", "cross-site");
    private static final Problem CROSS_SITE =
            Problem.of(403, "cross_site", "Requests from other sites are not accepted here");
    private static final Problem FOREIGN_HOST = new Problem(
            403,
            "foreign_host",
            "This service runs in localhost mode and accepts requests to localhost only",
            "For another host name, set RP_ID and RP_ORIGIN.");

    private final Set<String> origins;
    private final boolean local;

    /**
     * A guard that accepts requests of pages of these origins.
     *
     * @param local whether the service is in localhost mode
     */
    public SameOriginGuard(Set<String> origins, boolean local) {
        this.origins = Set.copyOf(origins);
        this.local = local;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        if (concerns(exchange)) {
            if (local && !exchange.synthetic() && !exchange.hasLoopbackHost()) {
                throw new ProblemException(FOREIGN_HOST);
            }
            if (!isAccepted(exchange)) {
                throw new ProblemException(CROSS_SITE);
            }
        }
        next.proceed(exchange);
    }

    private static boolean concerns(Exchange exchange) {
        Endpoint endpoint = exchange.endpoint();
        return endpoint.template() != null && (!SAFE.contains(endpoint.method()) || endpoint.guarded());
    }

    private boolean isAccepted(Exchange exchange) {
        List<String> senders = exchange.headers("Origin");
        if (!senders.stream().allMatch(origin -> isKnown(origin, exchange))) {
            return false;
        }
        List<String> sites = exchange.headers("Sec-Fetch-Site");
        return sites.stream().allMatch(OWN_SITE::contains)
                || sites.stream().allMatch(OTHER_SITE::contains)
                        && senders.size() == 1
                        && !CrossOrigin.isOwn(senders.get(0), exchange);
    }

    private boolean isKnown(String origin, Exchange exchange) {
        return origins.contains(origin)
                || (local || exchange.endpoint().forOperators()) && CrossOrigin.isOwn(origin, exchange);
    }
}
