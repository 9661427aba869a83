// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

/** The ways an authenticator counts its signatures. */
public enum Counting {
    /** The count is always zero, as with synced passkeys. */
    NOT_AT_ALL,
    /** Each passkey has its own count. */
    PER_PASSKEY,
    /** All passkeys share one count. */
    GLOBALLY
}
