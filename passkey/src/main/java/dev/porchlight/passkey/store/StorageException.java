// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/**
 * A store could not do what it was asked. Whoever catches it must refuse: a challenge that could not be spent was not
 * answered, and a passkey that could not be written was not registered.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StorageFault fault;

    /** Something failed because of something else. */
    public StorageException(String message, Throwable cause) {
        super(message, cause);
        fault = StorageFault.of(cause);
    }

    /** Something failed. */
    public StorageException(String message) {
        super(message);
        fault = StorageFault.UNAVAILABLE;
    }

    /** What is wrong, as far as the store says so. */
    public StorageFault fault() {
        return fault;
    }
}
