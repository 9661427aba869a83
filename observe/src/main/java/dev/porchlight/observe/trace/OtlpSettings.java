// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Where and how spans are sent.
 *
 * @param endpoint the whole address
 * @param json whether bodies are JSON, or else Protocol Buffers
 * @param gzip whether bodies are compressed
 * @param headers further headers, as for a key of the collector
 * @param timeout of one request; zero is no limit
 */
record OtlpSettings(URI endpoint, boolean json, boolean gzip, Map<String, String> headers, Duration timeout) {
    /** Without the values of the headers, which are secrets. */
    @Override
    public String toString() {
        return "OtlpSettings[endpoint=" + endpoint + ", json=" + json + ", gzip=" + gzip + ", headers="
                + headers.keySet() + ", timeout=" + timeout + "]";
    }
}
