// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * The access rules of a route. Each route declares one when it is added; admission, rate limits, the cross-site guard, CORS,
 * caching and screening use nothing else.
 */
public enum Access {
    /** Pages, assets and public documents. */
    PUBLIC(Capacity.PAGES, Credential.NONE, Cost.NONE, Sites.ANY),
    /** The browser helper, which pages of the relying party's other origins load. */
    PUBLIC_SCRIPT(Capacity.PAGES, Credential.NONE, Cost.NONE, Sites.ANY_WITH_CORS),
    /** Health and metrics. */
    PROBE(Capacity.RESERVED, Credential.NONE, Cost.NONE, Sites.ANY),
    LOGIN_OPTIONS(Capacity.AUTH, Credential.NONE, Cost.OPTIONS, Sites.RELYING_PARTY),
    LOGIN_FINISH(Capacity.AUTH, Credential.NONE, Cost.FINISH, Sites.RELYING_PARTY),
    REGISTRATION_OPTIONS(Capacity.AUTH, Credential.USER_OR_ENROLLMENT, Cost.OPTIONS, Sites.RELYING_PARTY),
    REGISTRATION_FINISH(Capacity.AUTH, Credential.USER_OR_ENROLLMENT, Cost.FINISH, Sites.RELYING_PARTY),
    SIGNUP(Capacity.AUTH, Credential.NONE, Cost.SIGNUP, Sites.RELYING_PARTY),
    /** Browsers' reports of how a ceremony ended. */
    BROWSER_REPORT(Capacity.AUTH, Credential.NONE, Cost.REPORT, Sites.RELYING_PARTY),
    /** A signed-in user's own data. */
    USER(Capacity.AUTH, Credential.USER, Cost.USER, Sites.RELYING_PARTY),
    /** An authorization or logout request of an OpenID Connect client, by a browser that comes from its site. */
    OPENID_AUTHORIZE(Capacity.AUTH, Credential.NONE, Cost.USER, Sites.APPLICATIONS),
    /** The sign-in page leads here to complete an authorization request. */
    OPENID_CONTINUE(Capacity.AUTH, Credential.NONE, Cost.USER, Sites.OWN),
    /** A request of an OpenID Connect client itself, which uses no cookie. */
    OPENID_CLIENT(Capacity.AUTH, Credential.NONE, Cost.USER, Sites.APPLICATIONS),
    /** Administration by backends and operators. */
    ADMIN(Capacity.AUTH, Credential.OPERATOR, Cost.OPERATOR, Sites.OWN),
    /** The console's API, which operators need most under overload. */
    CONSOLE(Capacity.RESERVED, Credential.OPERATOR, Cost.OPERATOR, Sites.OWN);

    /** The credential that a request must present. */
    public enum Credential {
        NONE,
        /** A session cookie or an access token. */
        USER,
        /** A session cookie, an access token or an enrollment token. */
        USER_OR_ENROLLMENT,
        /** The admin token; on localhost without one, a connection from this machine. */
        OPERATOR
    }

    /** The concurrency limit that a request counts against. */
    enum Capacity {
        PAGES,
        AUTH,
        /** No limit: handled under any load. */
        RESERVED
    }

    /** The sites whose pages may use a route. */
    private enum Sites {
        /** All sites may link to it, and responses may be cached. */
        ANY(false, false),
        ANY_WITH_CORS(false, true),
        /** All may send requests to it, which carry what authenticates them. The route decides on CORS. */
        APPLICATIONS(false, false),
        /** The service's own pages, and pages of the relying party's other origins. */
        RELYING_PARTY(true, true),
        /** The service's own pages only. */
        OWN(true, false);

        private final boolean guarded;
        private final boolean cors;

        Sites(boolean guarded, boolean cors) {
            this.guarded = guarded;
            this.cors = cors;
        }
    }

    /** Decides from a request's headers whether its body is worth waiting for. Implementations are thread-safe. */
    @FunctionalInterface
    public interface Screening {
        /** Whether a request with these headers lacks the credential, so that its body does not matter. */
        boolean refuses(Access access, @Nullable String authorization, List<String> cookies);
    }

    private final Capacity capacity;
    private final Credential credential;
    private final Cost cost;
    private final Sites sites;

    Access(Capacity capacity, Credential credential, Cost cost, Sites sites) {
        this.capacity = capacity;
        this.credential = credential;
        this.cost = cost;
        this.sites = sites;
    }

    public Credential credential() {
        return credential;
    }

    Capacity capacity() {
        return capacity;
    }

    Cost cost() {
        return cost;
    }

    /** Whether responses must not be cached, and requests from other sites' pages are refused. */
    boolean guarded() {
        return sites.guarded;
    }

    /** Whether a guarded route accepts a body of the type that the headers declare: JSON, or the form of a page. */
    boolean accepts(HttpFields headers) {
        return this == OPENID_CONTINUE ? Requests.isForm(headers) : Requests.isJson(headers);
    }

    /** Whether any site may make a browser send a request that changes something: no cookie counts there. */
    boolean openToOtherSites() {
        return sites == Sites.APPLICATIONS;
    }

    /** Whether pages of the relying party's other origins may read responses (CORS). */
    boolean cors() {
        return sites.cors;
    }

    /** Whether a later request depends on this one. Under overload these are refused before requests that finish a ceremony. */
    boolean beginsCeremony() {
        return cost == Cost.OPTIONS || cost == Cost.SIGNUP || this == OPENID_AUTHORIZE;
    }
}
