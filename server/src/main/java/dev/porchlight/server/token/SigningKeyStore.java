// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import java.util.List;

/** Where all instances find the signing keys. Thread-safe; throws a storage exception when it cannot answer. */
public interface SigningKeyStore {

    /** All keys, oldest first. */
    List<SigningKeyRow> all();

    void add(SigningKeyRow key);

    /** Replaces what a key is sealed as. */
    void reseal(String kid, String sealed);

    void remove(String kid);

    /** Adds a key and removes all others, in one transaction. */
    void replaceAll(SigningKeyRow key);

    boolean contains(String kid);
}
