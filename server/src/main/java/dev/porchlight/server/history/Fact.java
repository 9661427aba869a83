// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonWriter;

/**
 * Something that explains a failure beside its cause: the lock of the user, for example. Unknown texts are empty.
 *
 * @param name the code of an event, such as {@code user_locked}, or of a text, such as {@code closest_names}
 * @param at the time of the event in milliseconds since 1970; 0 for a text
 * @param by the label of the operator who caused the event; empty if the user did
 * @param text the text; of an event, what it concerns, such as a group
 */
public record Fact(String name, long at, String by, String text) {
    public static Fact event(String name, long at, String by) {
        return new Fact(name, at, by, "");
    }

    public static Fact text(String name, String text) {
        return new Fact(name, 0, "", text);
    }

    public void write(JsonWriter json) {
        json.text("name", name).number("at", at).text("by", by).text("text", text);
    }
}
