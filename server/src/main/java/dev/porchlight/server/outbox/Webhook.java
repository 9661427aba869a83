// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.crypto.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that receives events.
 *
 * @param events the filter: types, groups of types such as {@code user.*}, or {@code *}
 */
public record Webhook(String id, String url, List<String> events, boolean enabled, long createdAt, Secrets secrets) {
    /** How long messages are signed with the replaced secret too. */
    static final Duration OVERLAP = Duration.ofDays(1);

    private static final String PREFIX = "whsec_";

    public void write(JsonWriter json) {
        json.text("webhookId", id)
                .text("url", url)
                .texts("events", events)
                .bool("enabled", enabled)
                .number("createdAt", createdAt);
    }

    /**
     * The secrets that sign messages, as their receivers write them.
     *
     * @param previous until its time is over; null if it was never replaced
     */
    public record Secrets(String current, @Nullable String previous, long previousUntil) {
        /** Those of an endpoint that was added under another {@code SESSION_SECRET}: nothing can be signed until a rotation. */
        static final Secrets UNREADABLE = new Secrets("", null, 0);

        boolean isReadable() {
            return !current.isEmpty();
        }

        static Secrets of(byte[] key) {
            return new Secrets(PREFIX + Base64.getEncoder().encodeToString(key), null, 0);
        }

        Secrets rotated(byte[] key, long now) {
            return new Secrets(of(key).current, current, now + OVERLAP.toMillis());
        }

        /** The value of the header {@code webhook-signature}: with two secrets, two signatures. */
        String sign(String id, long seconds, String body, long now) {
            byte[] content = (id + '.' + seconds + '.' + body).getBytes(StandardCharsets.UTF_8);
            return Stream.of(current, previous != null && now < previousUntil ? previous : "")
                    .filter(secret -> !secret.isEmpty())
                    .map(secret -> Base64.getDecoder().decode(secret.substring(PREFIX.length())))
                    .map(key -> "v1," + Base64.getEncoder().encodeToString(new KeyedHash(key).of(content)))
                    .collect(Collectors.joining(" "));
        }

        String toJson() {
            return JsonWriter.object(json -> json.text("current", current)
                    .optionalText("previous", previous)
                    .number("previousUntil", previousUntil));
        }

        static Secrets parse(String json) throws MalformedException {
            JsonObject read = JsonObject.parse(json, "secrets");
            return new Secrets(read.text("current"), read.optionalText("previous"), read.integer("previousUntil"));
        }
    }
}
