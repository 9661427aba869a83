// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.trace.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lines of one service in one format. The parts of a line follow in the order begin, trace, bound fields,
 * thrown, fields, end. Immutable; all state is in the line.
 */
abstract class LineShape {
    static LineShape of(LogFormat format, String service) {
        if (format instanceof LogFormat.Cloud cloud) {
            return new CloudShape(service, cloud.project(), cloud.version());
        }
        if (format instanceof LogFormat.Console console) {
            return new ConsoleShape(service, console.color());
        }
        return new JsonShape(service);
    }

    /** Encodes the text before the value of a field, including the separator. */
    abstract byte[] name(String printed);

    abstract void begin(Line line, long epochMillis, Level level, String message);

    abstract void trace(Line line, SpanContext trace);

    abstract void thrown(Line line, Level level, @Nullable Throwable thrown);

    /** Writes one field. The value of a secret is not read. */
    final void field(Line line, Fields fields, int index, FieldName name) {
        line.out.put(name.encoded);
        if (name.secret) {
            value(line, name, Secrets.REDACTED);
        } else {
            fields.write(index, line, name, this);
        }
    }

    void value(Line line, FieldName name, @Nullable Object value) {
        line.values.write(value);
    }

    abstract void end(Line line, @Nullable Throwable thrown, int fieldsOmitted);
}
