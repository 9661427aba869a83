// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.CommonProblem;
import java.util.List;
import java.util.Set;

/**
 * Decides which sites' pages may use a route. Pages of configured origins may use routes with CORS. Requests that another site
 * makes a browser send are refused if they change something or go to a guarded route:
 *
 * <ul>
 *   <li>{@code Sec-Fetch-Site}, where present, must be {@code same-origin} or {@code none}, unless the page belongs to another
 *       configured origin.
 *   <li>{@code Origin}, where present, must be configured. In localhost mode, on routes that need the operator's token, and
 *       for reports, it may also be the origin of the request URL, because another site's page cannot have it there.
 *   <li>Routes for our own pages accept the service's own origin and no other: the relying party's, and on operators' routes
 *       that of the request URL, in localhost mode only that.
 *   <li>In localhost mode the host must be loopback. This stops DNS rebinding: a site whose name resolves to this machine
 *       is same-origin with the service for the browser, but has another host name. Health, metrics and the API description
 *       also accept addresses and names without a dot, which monitoring uses and no site has.
 * </ul>
 *
 * Clients other than browsers send neither header.
 */
public final class CrossSiteGuard implements Middleware {
    private static final String CORS_METHODS = "GET, POST, PATCH, DELETE";
    private static final String CORS_REQUEST_HEADERS = "content-type, authorization, traceparent, x-correlation-id";
    private static final String CORS_RESPONSE_HEADERS = "retry-after, x-correlation-id";
    private static final String PREFLIGHT_SECONDS = "600";
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<String> OTHER_SITE = Set.of("same-site", "cross-site");
    private static final Problem CROSS_SITE = Problem.of(CommonProblem.CROSS_SITE);
    private static final Problem FOREIGN_HOST = new Problem(
            403,
            "foreign_host",
            "This service runs in localhost mode and accepts requests to localhost only.",
            "For another host name, set RP_ID and RP_ORIGIN.");

    private final String own;
    private final Set<String> origins;
    private final boolean local;

    /**
     * Creates a guard that accepts requests from pages of these origins.
     *
     * @param own the origin of the service's pages
     * @param origins all origins whose pages may call the service
     * @param local whether the service is in localhost mode
     */
    public CrossSiteGuard(String own, Set<String> origins, boolean local) {
        this.own = own;
        this.origins = Set.copyOf(origins);
        this.local = local;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        Endpoint endpoint = exchange.endpoint();
        if (endpoint.access().cors() && handleCors(exchange)) {
            return;
        }
        if (local && endpoint.access().forTools() && !Requests.isOfNoSite(exchange.serverName())) {
            throw new ProblemException(FOREIGN_HOST);
        }
        if (endpoint.template() != null
                && (!SAFE.contains(endpoint.method()) || endpoint.access().guarded())) {
            if (local && !Requests.isLoopback(exchange.serverName())) {
                throw new ProblemException(FOREIGN_HOST);
            }
            if (!endpoint.access().openToOtherSites() && !isAccepted(exchange)) {
                throw new ProblemException(CROSS_SITE);
            }
        }
        next.proceed(exchange);
    }

    /** Lets pages of configured origins read the response. Returns whether the request was a preflight and is finished. */
    private boolean handleCors(Exchange exchange) throws Exception {
        exchange.responseHeader("Vary", "Origin"); // no cache may serve one origin's response to another
        String origin = exchange.header("Origin");
        if (origin == null || !origins.contains(origin) || isOwn(origin, exchange)) {
            return false;
        }
        exchange.responseHeader("Access-Control-Allow-Origin", origin);
        exchange.responseHeader("Access-Control-Allow-Credentials", "true");
        if (exchange.endpoint().method() != Method.OPTIONS
                || exchange.header("Access-Control-Request-Method") == null) {
            exchange.responseHeader("Access-Control-Expose-Headers", CORS_RESPONSE_HEADERS);
            return false;
        }
        exchange.send(Response.of(204)
                .with("Access-Control-Allow-Methods", CORS_METHODS)
                .with("Access-Control-Allow-Headers", CORS_REQUEST_HEADERS)
                .with("Access-Control-Max-Age", PREFLIGHT_SECONDS));
        return true;
    }

    private boolean isAccepted(Exchange exchange) {
        List<String> senders = exchange.headers("Origin");
        if (!senders.stream().allMatch(origin -> isKnown(origin, exchange))) {
            return false;
        }
        List<String> sites = exchange.headers("Sec-Fetch-Site");
        return sites.stream().allMatch(OWN_SITE::contains)
                || !exchange.endpoint().access().ownPagesOnly()
                        && sites.stream().allMatch(OTHER_SITE::contains)
                        && senders.size() == 1
                        && !isOwn(senders.get(0), exchange);
    }

    private boolean isKnown(String origin, Exchange exchange) {
        Access access = exchange.endpoint().access();
        boolean forOperators = access.credential() == Access.Credential.OPERATOR;
        // At an address that is not configured, the sign-in page reports that.
        if ((local || forOperators || access == Access.BROWSER_REPORT) && isOwn(origin, exchange)) {
            return true;
        }
        return access.ownPagesOnly() ? origin.equals(own) && !(local && forOperators) : origins.contains(origin);
    }

    /** Whether the page has the same origin as the request URL. */
    private static boolean isOwn(String origin, Exchange exchange) {
        return origin.equals(exchange.scheme() + "://" + exchange.authority());
    }
}
