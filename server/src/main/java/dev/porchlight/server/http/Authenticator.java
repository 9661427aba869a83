// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.auth.Registrant;

/**
 * Authenticates the callers of requests, and refuses requests without a valid one. The router calls it before a handler;
 * {@link Access} selects the method. Implementations are thread-safe.
 */
public interface Authenticator {
    Caller user(Exchange exchange) throws ProblemException;

    /** Requires a recent sign-in, so that a stolen session or token alone cannot add or remove passkeys. */
    Caller recentUser(Exchange exchange) throws ProblemException;

    /** Requires a user who signs out. If there is none, the response removes the cookie: the session has ended already. */
    Caller leavingUser(Exchange exchange) throws ProblemException;

    /** Requires a recent sign-in or an enrollment token, whose user may be locked. */
    Registrant registrant(Exchange exchange) throws ProblemException;

    /**
     * Requires an operator whose role has this permission.
     *
     * @param recent whether a person needs a recent sign-in, so that a stolen session alone is not enough
     */
    Operator operator(Exchange exchange, Permission permission, boolean recent) throws ProblemException;

    /** Requires a client for which the admin routes are on. It need not be an operator: the page has no data, and asks for a sign-in. */
    void console(Exchange exchange) throws ProblemException;
}
