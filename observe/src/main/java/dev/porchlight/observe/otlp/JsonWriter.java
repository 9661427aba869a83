// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.Base64;

/**
 * OTLP in JSON: names in lowerCamelCase, ids in hex, enumerations as numbers, and 64-bit integers as strings, because
 * many JSON parsers lose digits beyond 2^53.
 */
final class JsonWriter extends OtlpWriter {
    JsonWriter(WireBuffer out) {
        super(out);
    }

    @Override
    public int begin(int field, String name) {
        name(name).put('{');
        return 0;
    }

    @Override
    public int element(int field) {
        separate();
        out.put('{');
        return 0;
    }

    @Override
    public void end(int start) {
        out.put('}');
    }

    @Override
    public void list(String name) {
        name(name).put('[');
    }

    @Override
    public void endList() {
        out.put(']');
    }

    @Override
    public void text(int field, String name, CharSequence text) {
        name(name).jsonString(text.toString());
    }

    @Override
    public void bytes(int field, String name, byte[] bytes) {
        name(name).put('"').put(Base64.getEncoder().encode(bytes)).put('"');
    }

    @Override
    public void flag(int field, String name, boolean value) {
        name(name).ascii(value ? "true" : "false");
    }

    @Override
    public void number(int field, String name, int value) {
        name(name).decimal(value);
    }

    @Override
    public void signed(int field, String name, int value) {
        number(field, name, value);
    }

    @Override
    public void fixed32(int field, String name, int value) {
        number(field, name, value);
    }

    @Override
    public void big(int field, String name, long value) {
        name(name).put('"').decimal(value).put('"');
    }

    @Override
    public void fixed64(int field, String name, long value) {
        big(field, name, value);
    }

    @Override
    public void real(int field, String name, double value) {
        name(name);
        real(value);
    }

    @Override
    public void traceId(int field, String name, long high, long low) {
        name(name).put('"').hex(high).hex(low).put('"');
    }

    @Override
    public void spanId(int field, String name, long id) {
        name(name).put('"').hex(id).put('"');
    }

    @Override
    public void bigs(int field, String name, long[] values, int count) {
        list(name);
        for (int i = 0; i < count; i++) {
            (i == 0 ? out : out.put(',')).put('"').decimal(values[i]).put('"');
        }
        endList();
    }

    @Override
    public void fixed64s(int field, String name, long[] values, int count) {
        bigs(field, name, values, count);
    }

    @Override
    public void reals(int field, String name, double[] values) {
        list(name);
        for (double value : values) {
            separate();
            real(value);
        }
        endList();
    }

    private void real(double value) {
        String text = Double.toString(value);
        // NaN and the infinities are not JSON numbers; as strings they have the names that Java uses
        out.ascii(Double.isFinite(value) ? text : '"' + text + '"');
    }

    private WireBuffer name(String name) {
        separate();
        return out.put('"').ascii(name).put('"').put(':');
    }

    /** Writes a comma, except at the start of an object or list. */
    private void separate() {
        byte last = out.array()[out.length() - 1];
        if (last != '{' && last != '[') {
            out.put(',');
        }
    }
}
