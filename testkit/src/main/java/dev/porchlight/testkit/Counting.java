// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

/** How an authenticator counts its signatures. */
public enum Counting {
    /** Always zero, as synced passkeys do. */
    NOT_AT_ALL,
    /** Each passkey on its own, from one. */
    PER_PASSKEY,
    /** All passkeys together. */
    GLOBALLY
}
