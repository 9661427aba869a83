// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.auth.Registrant;
import dev.porchlight.server.auth.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * The access rules of a route. Each route declares one when it is added; authentication, admission, rate limits, the
 * cross-site guard, CORS, caching, screening and the API description use nothing else. Immutable.
 */
public class Access {
    /** Pages, assets and public documents. */
    public static final Access PUBLIC = new Access(Capacity.PAGES, Cost.NONE, Sites.ANY);

    /** The browser helper, which pages of the relying party's other origins load. */
    public static final Access PUBLIC_SCRIPT = new Access(Capacity.PAGES, Cost.NONE, Sites.ANY_WITH_CORS);

    /** Health and metrics. */
    public static final Access PROBE = new Access(Capacity.RESERVED, Cost.NONE, Sites.TOOLS);

    /** The description of the API. */
    public static final Access DESCRIPTION = new Access(Capacity.PAGES, Cost.NONE, Sites.TOOLS);

    public static final Access LOGIN_OPTIONS = new Access(Capacity.AUTH, Cost.OPTIONS, Sites.RELYING_PARTY);
    public static final Access LOGIN_FINISH = new Access(Capacity.AUTH, Cost.FINISH, Sites.RELYING_PARTY);
    public static final For<Registrant> REGISTRATION_OPTIONS = registration(Cost.OPTIONS);
    public static final For<Registrant> REGISTRATION_FINISH = registration(Cost.FINISH);
    public static final Access SIGNUP = new Access(Capacity.AUTH, Cost.SIGNUP, Sites.RELYING_PARTY);

    /** A recovery code instead of a sign-in. */
    public static final Access RECOVERY = new Access(Capacity.AUTH, Cost.SIGNUP, Sites.RELYING_PARTY);

    /** Browsers' reports of how a ceremony ended. */
    public static final Access BROWSER_REPORT = new Access(Capacity.AUTH, Cost.REPORT, Sites.RELYING_PARTY);

    /** A signed-in user's own data. */
    public static final For<Caller> USER = user(Authenticator::user);

    /** A change that needs a recent sign-in. */
    public static final For<Caller> RECENT_USER = user(Authenticator::recentUser);

    /** The end of a user's session. */
    public static final For<Caller> LOGOUT = user(Authenticator::leavingUser);

    /** An authorization or logout request of an OpenID Connect client, by a browser that comes from its site. */
    public static final Access OPENID_AUTHORIZE = new Access(Capacity.AUTH, Cost.USER, Sites.APPLICATIONS);

    /** The sign-in page leads here to complete an authorization request. */
    public static final Access OPENID_CONTINUE = new Access(Capacity.AUTH, Cost.USER, Sites.OWN);

    /** A request of an OpenID Connect client itself, which uses no cookie. Its route authenticates the client. */
    public static final Access OPENID_CLIENT = client(Credential.CLIENT);

    /** A request of a client for a user, whose access token the route verifies. */
    public static final Access OPENID_USERINFO = client(Credential.CLIENT_TOKEN);

    /** A browser asks whether a page of a client may send the request. */
    public static final Access OPENID_PREFLIGHT = client(Credential.NONE);

    /** Operators read users, groups, ceremonies and the audit log. */
    public static final For<Operator> ADMIN_READ = operator(Capacity.AUTH, Permission.READ, false);

    /** Operators read clients, operators and tokens. */
    public static final For<Operator> ADMIN_SETTINGS = operator(Capacity.AUTH, Permission.SETTINGS, false);

    /** Operators help a user. */
    public static final For<Operator> ADMIN_SUPPORT = operator(Capacity.AUTH, Permission.SUPPORT, false);

    /** Operators give a user access. A person needs a recent sign-in for it, and for what the next constants with RECENT are for. */
    public static final For<Operator> ADMIN_SUPPORT_RECENT = operator(Capacity.AUTH, Permission.SUPPORT, true);

    /** Operators lock users, and send messages again. */
    public static final For<Operator> ADMIN = operator(Capacity.AUTH, Permission.MANAGE, false);

    /** Operators change users, groups and clients, erase users, and remove passkeys. */
    public static final For<Operator> ADMIN_RECENT = operator(Capacity.AUTH, Permission.MANAGE, true);

    /** Owners change operators, tokens and secrets. */
    public static final For<Operator> OWNER_RECENT = operator(Capacity.AUTH, Permission.OWN, true);

    /** The console's API, which operators need most under overload. */
    public static final For<Operator> CONSOLE = operator(Capacity.RESERVED, Permission.READ, false);

    /** The part of the console's API that helps users. */
    public static final For<Operator> CONSOLE_SUPPORT = operator(Capacity.RESERVED, Permission.SUPPORT, false);

    /** The console's page, which has no data. */
    public static final For<Exchange> CONSOLE_PAGE =
            new For<>(Capacity.PAGES, Credential.NONE, Cost.NONE, Sites.ANY, (authenticator, exchange) -> {
                authenticator.console(exchange);
                return exchange;
            });

    /** The credential that a request must present. */
    public enum Credential {
        NONE,
        /** A session cookie or an access token. */
        USER,
        /** A session cookie, an access token or an enrollment token. */
        USER_OR_ENROLLMENT,
        /** Of an OpenID Connect client; a public one has none. */
        CLIENT,
        /** An access token of an OpenID Connect client. */
        CLIENT_TOKEN,
        /** A session of a user with a role, a named token or the admin token; on localhost, a connection from this machine. */
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
        ANY,
        ANY_WITH_CORS,
        /** None: it is for monitoring and tools. */
        TOOLS,
        /** All may send requests to it, which carry what authenticates them. The route decides on CORS. */
        APPLICATIONS,
        /** The service's own pages, and pages of the relying party's other origins. */
        RELYING_PARTY,
        /** The service's own pages only. */
        OWN
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
    private final @Nullable Permission permission;

    private Access(Capacity capacity, Cost cost, Sites sites) {
        this(capacity, Credential.NONE, cost, sites, null);
    }

    private Access(Capacity capacity, Credential credential, Cost cost, Sites sites, @Nullable Permission permission) {
        this.capacity = capacity;
        this.credential = credential;
        this.cost = cost;
        this.sites = sites;
        this.permission = permission;
    }

    /** The access rules of a route that authenticates its callers and passes them to its handler. */
    public static final class For<C> extends Access {
        private final Authentication<C> authentication;

        private For(
                Capacity capacity, Credential credential, Cost cost, Sites sites, Authentication<C> authentication) {
            this(capacity, credential, cost, sites, null, authentication);
        }

        private For(
                Capacity capacity,
                Credential credential,
                Cost cost,
                Sites sites,
                @Nullable Permission permission,
                Authentication<C> authentication) {
            super(capacity, credential, cost, sites, permission);
            this.authentication = authentication;
        }

        C authenticate(Authenticator authenticator, Exchange exchange) throws ProblemException {
            return authentication.authenticate(authenticator, exchange);
        }
    }

    /** The method of an authenticator. */
    @FunctionalInterface
    private interface Authentication<C> {
        C authenticate(Authenticator authenticator, Exchange exchange) throws ProblemException;
    }

    private static For<Registrant> registration(Cost cost) {
        return new For<>(
                Capacity.AUTH, Credential.USER_OR_ENROLLMENT, cost, Sites.RELYING_PARTY, Authenticator::registrant);
    }

    private static For<Caller> user(Authentication<Caller> authentication) {
        return new For<>(Capacity.AUTH, Credential.USER, Cost.USER, Sites.RELYING_PARTY, authentication);
    }

    private static Access client(Credential credential) {
        return new Access(Capacity.AUTH, credential, Cost.USER, Sites.APPLICATIONS, null);
    }

    private static For<Operator> operator(Capacity capacity, Permission permission, boolean recent) {
        return new For<>(
                capacity,
                Credential.OPERATOR,
                Cost.OPERATOR,
                Sites.OWN,
                permission,
                (authenticator, exchange) -> authenticator.operator(exchange, permission, recent));
    }

    public Credential credential() {
        return credential;
    }

    /** The roles of operators who may use the route; empty for other routes. */
    public Set<Role> roles() {
        return permission == null ? Set.of() : permission.roles();
    }

    /**
     * The statuses of requests that are refused whatever the handler would do.
     *
     * @param body whether the handler reads a body
     */
    public Set<Integer> refusals(boolean body) {
        Set<Integer> statuses = new HashSet<>(Set.of(405, 503));
        if (body) {
            statuses.addAll(Set.of(413, 415));
        }
        if (credential != Credential.NONE) {
            statuses.add(401);
        }
        if (guarded()) {
            statuses.add(403);
        }
        if (cost != Cost.NONE) {
            statuses.add(429);
        }
        return statuses;
    }

    Capacity capacity() {
        return capacity;
    }

    Cost cost() {
        return cost;
    }

    /** Whether responses must not be cached, and requests from other sites' pages are refused. */
    boolean guarded() {
        return sites == Sites.RELYING_PARTY || sites == Sites.OWN;
    }

    /** Whether a guarded route accepts a body of the type that the headers declare: JSON, or the form of a page. */
    boolean accepts(HttpFields headers) {
        return this == OPENID_CONTINUE ? Requests.isForm(headers) : Requests.isJson(headers);
    }

    /** Whether any site may make a browser send a request that changes something: no cookie counts there. */
    boolean openToOtherSites() {
        return sites == Sites.APPLICATIONS;
    }

    /** Whether only the service's own pages may use it. */
    boolean ownPagesOnly() {
        return sites == Sites.OWN;
    }

    /** Whether it is for monitoring and tools, and no page uses it. */
    boolean forTools() {
        return sites == Sites.TOOLS;
    }

    /** Whether pages of the relying party's other origins may read responses (CORS). */
    boolean cors() {
        return sites == Sites.ANY_WITH_CORS || sites == Sites.RELYING_PARTY;
    }

    /** Whether a later request depends on this one. Under overload these are refused before requests that finish a ceremony. */
    boolean beginsCeremony() {
        return cost == Cost.OPTIONS || cost == Cost.SIGNUP || this == OPENID_AUTHORIZE;
    }
}
