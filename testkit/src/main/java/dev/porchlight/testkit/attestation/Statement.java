// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.wire.Cbor;
import java.util.Map;

/** A mutable attestation statement with its format. */
public final class Statement {
    private String format;
    private final Map<Object, Object> members;

    public Statement(String format, Object... namesAndValues) {
        this.format = format;
        this.members = Cbor.map(namesAndValues);
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
