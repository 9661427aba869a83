// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.UserRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store for the most recently registered passkey, at no cost. Not thread-safe. */
final class OneCredential implements CredentialStore {
    private @Nullable CredentialRecord credential;
    private @Nullable UserRecord user;

    @Override
    public @Nullable CredentialRecord find(String credentialId) {
        return credential != null && credential.credentialId().equals(credentialId) ? credential : null;
    }

    @Override
    public List<CredentialRecord> list(String userId) {
        return credential == null ? List.of() : List.of(credential);
    }

    @Override
    public Addition add(CredentialRecord added, int limit) {
        credential = added;
        return Addition.ADDED;
    }

    @Override
    public boolean advance(String credentialId, Use use) {
        return true;
    }

    @Override
    public boolean touch(String credentialId, Use use) {
        return true;
    }

    @Override
    public boolean rename(String userId, String credentialId, String name) {
        return false;
    }

    @Override
    public Removal remove(String userId, String credentialId, boolean allowLast) {
        return Removal.NOT_FOUND;
    }

    @Override
    public @Nullable UserRecord user(String userId) {
        return user;
    }

    @Override
    public UserRecord enroll(UserRecord enrolled) {
        user = enrolled;
        return enrolled;
    }
}
