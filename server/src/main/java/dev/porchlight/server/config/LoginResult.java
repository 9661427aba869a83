// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/** What a sign-in returns. */
public enum LoginResult {
    TOKEN,
    SESSION,
    BOTH;

    public boolean token() {
        return this != SESSION;
    }

    public boolean session() {
        return this != TOKEN;
    }
}
