// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides from a request's headers whether it is worth waiting for its body. Implementations are thread-safe. */
@FunctionalInterface
public interface Screening {
    /** Waits for every body. */
    Screening NONE = (endpoint, authorization, cookies) -> false;

    /** Whether the endpoint will refuse a request with these headers as unauthenticated, whatever its body is. */
    boolean refuses(Endpoint endpoint, @Nullable String authorization, List<String> cookies);
}
