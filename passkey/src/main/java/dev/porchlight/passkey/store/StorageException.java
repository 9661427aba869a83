// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/**
 * A store could not do what it was asked. Whoever catches it must refuse: a challenge that could not be spent was not
 * answered, and a passkey that could not be written was not registered.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Something failed because of something else. */
    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Something failed. */
    public StorageException(String message) {
        super(message);
    }
}
