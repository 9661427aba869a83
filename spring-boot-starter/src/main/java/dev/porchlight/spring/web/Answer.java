// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What is sent back. Written as bytes, past the application's message converters, which might see in it a text to be quoted.
 *
 * @param status the HTTP status
 * @param type the content type
 * @param json the body
 */
record Answer(int status, String type, String json) {
    static Answer json(int status, String json) {
        return new Answer(status, "application/json", json);
    }

    void writeTo(HttpServletResponse response) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (status == 503) {
            response.setHeader("Retry-After", "1");
        }
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
