// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.auth.Registrant;

/** Accepts every request, without a caller, for handlers that need none. */
public final class AnyCaller implements Authenticator {
    @Override
    public Caller user(Exchange exchange) {
        return null;
    }

    @Override
    public Caller recentUser(Exchange exchange) {
        return null;
    }

    @Override
    public Caller leavingUser(Exchange exchange) {
        return null;
    }

    @Override
    public Registrant registrant(Exchange exchange) {
        return null;
    }

    @Override
    public Operator operator(Exchange exchange, Permission permission, boolean recent) {
        return null;
    }

    @Override
    public void console(Exchange exchange) {}
}
