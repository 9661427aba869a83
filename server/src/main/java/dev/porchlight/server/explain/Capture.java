// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import org.jspecify.annotations.Nullable;

/**
 * What somebody captured of a ceremony.
 *
 * @param response what the browser sent, as JSON
 * @param challenge what it answers, if that was captured too
 * @param userId who was named in the request, if that is known
 * @param refusal what the service made of it, if it was the service that kept it
 */
public record Capture(
        String response,
        @Nullable String challenge,
        @Nullable String userId,
        @Nullable Refusal refusal) {
    /**
     * What a person has at hand.
     *
     * @param options the options that the response answers, as JSON, or their challenge alone
     * @throws MalformedException if there are options and they cannot be read
     */
    public static Capture of(String response, @Nullable String options, @Nullable String userId)
            throws MalformedException {
        return new Capture(response, options == null ? null : challenge(options.strip()), userId, null);
    }

    /** Not what was captured: this may end up in a log line. */
    @Override
    public String toString() {
        return "Capture[" + response.length() + " characters]";
    }

    private static String challenge(String options) throws MalformedException {
        return options.startsWith("{") ? JsonObject.parse(options, "options").text("challenge") : options;
    }
}
