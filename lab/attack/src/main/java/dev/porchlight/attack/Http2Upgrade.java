// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.RawResponses;

/** Cleartext HTTP/2: behind a proxy that forwards it, requests would bypass the proxy's rules. */
final class Http2Upgrade extends Attack {
    private static final String PATH = "/.well-known/jwks.json";
    /** The beginning of a SETTINGS frame from a service that speaks HTTP/2. */
    private static final String FRAME = "\0\0";

    @Override
    void attempt() {
        String get = "GET " + PATH + " HTTP/1.1\r\nHost: " + target.authority() + "\r\n";
        String settings = "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
        for (String protocol : new String[] {"h2c", "h2c, websocket", "H2C"}) {
            RawResponses upgraded = target.raw(
                    get + "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: " + protocol + "\r\n" + settings);
            check("Upgrade: " + protocol, upgraded.status() != 101, "switched to HTTP/2");
        }
        RawResponses known = target.raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
        checkUnlessProxied("HTTP/2 by prior knowledge", !known.text().startsWith(FRAME), "responded in HTTP/2");
    }
}
