// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import org.jspecify.annotations.Nullable;

/** The beginning of a credential id, for logs: enough to distinguish two ids, too little to use one. */
final class CredentialIdPrefix {
    private static final int LENGTH = 8;

    private CredentialIdPrefix() {}

    static String of(@Nullable String credentialId) {
        return credentialId == null ? "" : credentialId.substring(0, Math.min(LENGTH, credentialId.length())) + '…';
    }
}
