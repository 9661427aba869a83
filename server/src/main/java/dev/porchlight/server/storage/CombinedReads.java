// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.UserRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passkeys in PostgreSQL. The two reads of a login share queries with concurrent logins, because round trips cost more than
 * rows. Thread-safe.
 */
final class CombinedReads implements CredentialStore {
    private final CredentialStore store;
    private final Combiner<String, CredentialRecord> byId;
    private final Combiner<String, List<CredentialRecord>> byUser;
    private final int limit;

    /**
     * Creates combined reads.
     *
     * @param unobserved for queries that several requests share
     * @param store for everything else
     * @param limit the maximum number of passkeys read per user
     * @param listener is notified of each read
     */
    CombinedReads(SqlCredentialStore unobserved, CredentialStore store, int limit, Sql.StatementListener listener) {
        this.store = store;
        this.limit = limit;
        byId = new Combiner<>(listener, unobserved::findAll);
        byUser = new Combiner<>(listener, users -> unobserved.recentOfAll(users, limit));
    }

    @Override
    public @Nullable CredentialRecord find(String credentialId) {
        return byId.get(credentialId);
    }

    @Override
    public List<CredentialRecord> recent(String userId, int most) {
        if (most != limit) {
            return store.recent(userId, most);
        }
        List<CredentialRecord> found = byUser.get(userId);
        return found == null ? List.of() : found;
    }

    @Override
    public List<CredentialRecord> list(String userId) {
        return store.list(userId);
    }

    @Override
    public int count(String userId) {
        return store.count(userId);
    }

    @Override
    public Addition add(CredentialRecord credential, int most) {
        return store.add(credential, most);
    }

    @Override
    public boolean advance(String credentialId, Use use) {
        return store.advance(credentialId, use);
    }

    @Override
    public boolean touch(String credentialId, Use use) {
        return store.touch(credentialId, use);
    }

    @Override
    public boolean rename(String userId, String credentialId, String name) {
        return store.rename(userId, credentialId, name);
    }

    @Override
    public Removal remove(String userId, String credentialId, boolean allowLast) {
        return store.remove(userId, credentialId, allowLast);
    }

    @Override
    public @Nullable UserRecord user(String userId) {
        return store.user(userId);
    }

    @Override
    public UserRecord enroll(UserRecord user) {
        return store.enroll(user);
    }
}
