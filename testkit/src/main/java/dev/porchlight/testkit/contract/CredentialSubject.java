// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credential store under test, behind the five operations a {@link CredentialStoreContract} calls. */
public interface CredentialSubject {
    /** What of a stored passkey decides a login. */
    record Row(String credentialId, String userId, String publicKey, long signCount) {}

    @Nullable
    Row find(String credentialId);

    /** The ids of the user's passkeys, in any order. */
    List<String> idsOf(String userId);

    /** Adds a passkey; false if its id is taken, by whomever, and then nothing has changed. */
    boolean add(Row passkey);

    /**
     * Records a sign count; false if it did not grow (zero after zero counts as growing), and then nothing has changed.
     */
    boolean advance(String credentialId, long signCount);

    /** Removes a passkey of this user; false if he has none with this id. */
    boolean remove(String userId, String credentialId);
}
