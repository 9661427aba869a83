// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

/**
 * A store failed. The caller must refuse the request: a challenge that could not be consumed is not verified, and a
 * passkey that could not be written is not registered.
 */
public sealed class StorageException extends RuntimeException permits UnsupportedDatabaseException {
    private static final long serialVersionUID = 1L;

    private final StorageFault fault;

    /** Creates an exception with a cause. */
    public StorageException(String message, Throwable cause) {
        super(message, cause);
        fault = StorageFault.of(cause);
    }

    /** Creates an exception without a cause. */
    public StorageException(String message) {
        super(message);
        fault = StorageFault.UNAVAILABLE;
    }

    /** The kind of failure, as far as the store reports it. */
    public final StorageFault fault() {
        return fault;
    }
}
