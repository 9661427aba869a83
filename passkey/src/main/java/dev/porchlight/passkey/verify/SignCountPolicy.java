// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

/** What follows when a sign count does not grow. */
public enum SignCountPolicy {
    /** The authentication is refused. */
    REJECT,
    /** The authentication stands, and is told of. */
    FLAG
}
