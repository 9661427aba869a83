// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import java.util.List;

/** Texts for injection tests. */
final class HostileText {
    private HostileText() {}

    /** Returns distinct keys that careless code confuses or executes. */
    static List<String> keys(String base) {
        return List.of(
                base,
                base.toUpperCase(java.util.Locale.ROOT),
                base + " ",
                " " + base,
                base + "'; DROP TABLE passkey_challenge; --",
                base + "' OR '1'='1",
                base + "\\",
                base + "\"",
                base + "%",
                base + "_",
                base + "*",
                base + "?",
                base + ":" + base,
                base + "|" + base,
                base + "~" + base,
                "~" + base,
                base + "{0}${jndi:ldap://x}",
                base + "é",
                base + "e\u0301",
                base + "\ud83d\udd11",
                base + "\u202e",
                base + "x".repeat(200));
    }
}
