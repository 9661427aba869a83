// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import org.jspecify.annotations.Nullable;

/**
 * What somebody captured of a ceremony.
 *
 * @param response what the browser sent, as JSON
 * @param options what it answered, as JSON, if that was captured too
 * @param userId who was named in the request, if that is known
 */
public record Capture(
        String response, @Nullable String options, @Nullable String userId) {}
