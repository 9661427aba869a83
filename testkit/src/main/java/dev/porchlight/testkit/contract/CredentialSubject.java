// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credential store under test, behind the five operations that a {@link CredentialStoreContract} calls. */
public interface CredentialSubject {
    /** The values of a stored passkey that a login needs. */
    record Row(String credentialId, String userId, String publicKey, long signCount) {}

    @Nullable
    Row find(String credentialId);

    /** Returns the ids of the user's passkeys, in any order. */
    List<String> idsOf(String userId);

    /** Adds a passkey. False, without a change, if the id is taken by any user. */
    boolean add(Row passkey);

    /**
     * Records a sign count. False, without a change, if it did not grow (zero after zero counts as growing).
     */
    boolean advance(String credentialId, long signCount);

    /** Removes a passkey of this user. False if the user has no passkey with this id. */
    boolean remove(String userId, String credentialId);
}
