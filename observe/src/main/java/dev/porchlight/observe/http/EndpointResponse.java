// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import java.util.Map;

/** The response of an endpoint for scrapers and probes. Immutable, except for the body. */
public final class EndpointResponse {
    private final int status;
    private final String contentType;
    private final Map<String, String> headers;
    private final byte[] body;

    EndpointResponse(int status, String contentType, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.contentType = contentType;
        this.headers = headers;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public String contentType() {
        return contentType;
    }

    /** The headers besides Content-Type. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The body, which the caller must not change: several responses may share it. */
    public byte[] body() {
        return body;
    }
}
