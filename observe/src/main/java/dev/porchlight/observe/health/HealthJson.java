// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import dev.porchlight.observe.wire.StackText;
import dev.porchlight.observe.wire.WireBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a report as JSON. A detail can be any object; none can make the JSON invalid. */
final class HealthJson {
    private HealthJson() {}

    static byte[] write(HealthReport report, boolean withDetails) {
        WireBuffer out = new WireBuffer(512);
        out.ascii("{\"status\":\"").ascii(report.ok() ? "ok" : "degraded").put('"');
        if (report.remainingMs() > 0) {
            out.ascii(",\"remainingMs\":").decimal(report.remainingMs());
        }
        if (report.draining()) {
            out.ascii(",\"draining\":true");
        }
        if (report.degraded()) {
            out.ascii(",\"degraded\":true");
        }
        out.ascii(",\"checks\":{");
        String separator = "";
        for (CheckReport check : report.checks()) {
            out.ascii(separator).jsonString(check.name()).put(':');
            write(out, check, withDetails);
            separator = ",";
        }
        return out.ascii("}}").toByteArray();
    }

    private static void write(WireBuffer out, CheckReport check, boolean withDetails) {
        out.ascii("{\"status\":\"").ascii(check.status().word()).ascii("\",\"durationMs\":");
        millis(out, check.durationNanos());
        if (withDetails) {
            for (Map.Entry<String, Object> detail : check.details().entrySet()) {
                out.put(',').jsonString(key(detail.getKey())).put(':');
                value(out, detail.getValue());
            }
        }
        out.put('}');
    }

    /** Renames a detail that has the name of a built-in field. */
    private static String key(@Nullable String key) {
        return "status".equals(key) || "durationMs".equals(key) ? "extra." + key : String.valueOf(key);
    }

    private static void value(WireBuffer out, @Nullable Object value) {
        if (value == null) {
            out.ascii("null");
        } else if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte) {
            out.decimal(((Number) value).longValue());
        } else if (value instanceof Boolean flag) {
            out.ascii(flag.toString());
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)) {
                out.ascii(Double.toString(number));
            } else {
                out.jsonString(Double.toString(number));
            }
        } else {
            out.jsonString(text(value));
        }
    }

    private static String text(Object value) {
        try {
            return String.valueOf(value);
        } catch (RuntimeException broken) {
            return StackText.errorText(broken);
        }
    }

    /** Writes milliseconds with microsecond precision. */
    private static void millis(WireBuffer out, long nanos) {
        long micros = nanos / 1_000;
        out.decimal(micros / 1_000).put('.').paddedDecimal((int) (micros % 1_000), 3);
    }
}
