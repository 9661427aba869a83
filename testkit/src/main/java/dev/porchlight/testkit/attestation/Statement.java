// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.wire.Cbor;
import java.util.List;
import java.util.Map;

/** A mutable attestation statement with its format. */
public final class Statement {
    private String format;
    private final Map<Object, Object> members;
    private final List<Statement> parts;

    public Statement(String format, Object... namesAndValues) {
        this.format = format;
        this.members = Cbor.map(namesAndValues);
        this.parts = List.of();
    }

    /** A compound statement (WebAuthn section 8.9). */
    public Statement(List<Statement> parts) {
        this.format = "compound";
        this.members = Cbor.map();
        this.parts = parts;
    }

    /** The value of {@code attStmt}. */
    public Object value() {
        return parts.isEmpty()
                ? members
                : parts.stream()
                        .map(part -> Cbor.map("fmt", part.format, "attStmt", part.value()))
                        .toList();
    }

    public String format() {
        return format;
    }

    public Map<Object, Object> members() {
        return members;
    }

    public Statement format(String other) {
        format = other;
        return this;
    }

    public Statement put(String name, Object value) {
        members.put(name, value);
        return this;
    }

    public Statement remove(String name) {
        members.remove(name);
        return this;
    }
}
