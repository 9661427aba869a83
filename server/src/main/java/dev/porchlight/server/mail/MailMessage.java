// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import org.jspecify.annotations.Nullable;

/**
 * A mail as it waits in the outbox. It gets its texts when it is sent. Immutable.
 *
 * @param to the address
 * @param userId the name of the account; empty for none
 * @param locale the language tag of the recipient's profile
 * @param link where the mail leads; empty for nowhere
 * @param at when it was written, in milliseconds since 1970
 * @param until when the link expires, or 0
 */
public record MailMessage(
        String to, String userId, @Nullable String locale, String link, long at, long until) {
    String toJson() {
        return JsonWriter.object(json -> json.text("to", to)
                .text("userId", userId)
                .optionalText("locale", locale)
                .text("link", link)
                .number("at", at)
                .number("until", until));
    }

    static MailMessage parse(String payload) throws MalformedException {
        JsonObject json = JsonObject.parse(payload, "mail");
        return new MailMessage(
                json.text("to"),
                json.text("userId"),
                json.optionalText("locale"),
                json.text("link"),
                json.integer("at"),
                json.integer("until"));
    }
}
