// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.http.Access;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Refuses requests without the credential that their route needs, before their body has arrived. Immutable. */
public final class CredentialScreening implements Access.Screening {
    private static final Pattern TOKEN = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");

    private final AdminGate operators;
    private final SessionCookie cookie;

    public CredentialScreening(AdminGate operators, SessionCookie cookie) {
        this.operators = operators;
        this.cookie = cookie;
    }

    @Override
    public boolean refuses(Access access, @Nullable String authorization, List<String> cookies) {
        return switch (access.credential()) {
            case NONE, CLIENT, CLIENT_TOKEN -> false;
            case USER, USER_OR_ENROLLMENT -> lacksUser(authorization, cookies);
            case OPERATOR -> operators.refuses(authorization, cookies);
        };
    }

    /** Whether there is neither a session cookie nor a well-formed token. */
    private boolean lacksUser(@Nullable String authorization, List<String> cookies) {
        String bearer = Callers.bearer(authorization);
        return bearer == null
                ? cookie.read(cookies) == null
                : !Enrollments.isToken(bearer) && !TOKEN.matcher(bearer).matches();
    }
}
