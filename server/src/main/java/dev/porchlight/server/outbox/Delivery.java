// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.base.JsonWriter;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message in the outbox.
 *
 * @param id the same for each attempt, so that receivers can detect copies
 * @param target the endpoint of a webhook; empty for a mail
 * @param type of the event, or of the mail
 * @param attempts the number of attempts that were begun
 * @param nextAttemptAt null once it is delivered or given up
 * @param lastError of the last attempt that failed, for operators
 */
public record Delivery(
        String id,
        Kind kind,
        String target,
        String type,
        long attempts,
        long createdAt,
        @Nullable Long nextAttemptAt,
        @Nullable Long deliveredAt,
        @Nullable String lastError) {

    /** How messages are sent. */
    public enum Kind {
        MAIL,
        WEBHOOK;

        /** The name in the table and in metrics. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The place of a message in a list. */
    public record Cursor(long createdAt, String id) {
        public static Cursor of(Delivery delivery) {
            return new Cursor(delivery.createdAt(), delivery.id());
        }

        /** Reads {@link #toString}; null if it is malformed. */
        public static @Nullable Cursor parse(String text) {
            return text.matches("\\d{1,18}:[\\w-]{1,64}")
                    ? new Cursor(
                            Long.parseLong(text.substring(0, text.indexOf(':'))), text.substring(text.indexOf(':') + 1))
                    : null;
        }

        @Override
        public String toString() {
            return createdAt + ":" + id;
        }
    }

    /** The values of {@link #state}. */
    public static final Set<String> STATES = Set.of("pending", "delivered", "failed");

    /** Whether it is waiting, delivered or given up. */
    public String state() {
        return nextAttemptAt != null ? "pending" : deliveredAt != null ? "delivered" : "failed";
    }

    public void write(JsonWriter json) {
        json.text("deliveryId", id)
                .text("type", type)
                .text("state", state())
                .number("attempts", attempts)
                .number("createdAt", createdAt)
                .optionalNumber("nextAttemptAt", nextAttemptAt)
                .optionalNumber("deliveredAt", deliveredAt)
                .optionalText("lastError", lastError);
    }
}
