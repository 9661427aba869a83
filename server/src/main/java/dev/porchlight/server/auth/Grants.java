// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.storage.PasskeyAccess;
import dev.porchlight.server.storage.UserAccess;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks sessions and tokens against the database at each request. Nothing is cached, so access ends on all instances with the
 * commit that ends it. Thread-safe.
 */
public final class Grants {
    private final Sql sql;
    private final Function<String, @Nullable PasskeyAccess> passkeys;

    /** Checks against this database; {@code passkeys} finds a passkey by its id. */
    public Grants(Sql sql, Function<String, @Nullable PasskeyAccess> passkeys) {
        this.sql = sql;
        this.passkeys = passkeys;
    }

    public boolean isValid(Grant grant) {
        return grant.isValid(passkeys.apply(grant.credentialId()));
    }

    /** Whether the user may register a passkey with an enrollment token. */
    public boolean isLocked(String userId) {
        return UserAccess.read(sql, userId).locked();
    }
}
