// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.UnreadableRow;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passkeys in PostgreSQL. The two reads of a login share queries with concurrent logins, because round trips cost more than
 * rows. Thread-safe.
 */
final class CombinedReads extends SqlCredentialStore {
    private final Combiner<String, CredentialRecord> byId;
    private final Combiner<String, List<CredentialRecord>> byUser;
    private final int limit;

    /**
     * Creates combined reads.
     *
     * @param unobserved for queries that several requests share
     * @param sql for everything else
     * @param limit the maximum number of passkeys read per user
     * @param listener is notified of each read
     */
    CombinedReads(
            Sql unobserved, Sql sql, Consumer<UnreadableRow> unreadable, int limit, Sql.StatementListener listener) {
        super(sql, unreadable);
        this.limit = limit;
        var shared = new SqlCredentialStore(unobserved, unreadable);
        byId = new Combiner<>(listener, shared::findAll);
        byUser = new Combiner<>(listener, users -> shared.recentOfAll(users, limit));
    }

    @Override
    public @Nullable CredentialRecord find(String credentialId) {
        return byId.get(credentialId);
    }

    @Override
    public List<CredentialRecord> recent(String userId, int most) {
        if (most != limit) {
            return super.recent(userId, most);
        }
        List<CredentialRecord> found = byUser.get(userId);
        return found == null ? List.of() : found;
    }
}
