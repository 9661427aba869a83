// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as its server presents it. Implemented by the adapter of each server. */
public interface HttpServerRequest {
    /** The method as the client sent it. */
    String method();

    /** The path for the request's span. A server whose paths contain personal data returns the route template instead. */
    String tracedPath();

    /** {@code http} or {@code https}. */
    String scheme();

    /** All headers of that name, in order; the name is case-insensitive. */
    List<String> headers(String name);

    /** The first header of that name, or null. */
    @Nullable
    String header(String name);

    String serverName();

    int serverPort();

    String clientAddress();

    /** The protocol version: {@code 1.1}. */
    String protocolVersion();
}
