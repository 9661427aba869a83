// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.token;

import dev.porchlight.base.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * A signing key that is in the published key set. Times are in milliseconds since 1970.
 *
 * @param signs whether it signs now
 * @param signsFrom when it begins to sign
 * @param until when its last token has expired; null without a successor
 */
public record PublishedKey(
        String kid,
        String algorithm,
        boolean signs,
        long signsFrom,
        @Nullable Long until) {
    public void write(JsonWriter json) {
        json.text("kid", kid)
                .text("algorithm", algorithm)
                .bool("signs", signs)
                .number("signsFrom", signsFrom)
                .optionalNumber("publishedUntil", until);
    }
}
