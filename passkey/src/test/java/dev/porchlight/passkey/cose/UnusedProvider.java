// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import java.security.Provider;

/** A provider that fails a test if it is asked for anything. */
final class UnusedProvider extends Provider {
    private static final long serialVersionUID = 1L;

    UnusedProvider() {
        super("unused", "1", "fails if it is asked for a service");
    }

    @Override
    public synchronized Service getService(String type, String algorithm) {
        throw new AssertionError(type);
    }
}
