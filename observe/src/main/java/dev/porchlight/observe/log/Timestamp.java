// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Writes timestamps as ISO 8601 in UTC and caches the text of the last second. Not thread-safe. */
final class Timestamp {
    private static final int TIME_OF_DAY = "2026-11-15T".length();
    private static final int FRACTION = "2026-11-15T10:20:30.".length();

    private static final long LAST =
            Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli(); // the last that has four digits for its year

    private final WireBuffer text = new WireBuffer(24);
    private long second = -1;

    /** Writes {@code 2026-11-15T10:20:30.123Z}. */
    void writeTo(WireBuffer out, long epochMillis) {
        render(epochMillis);
        out.put(text.array(), 0, text.length());
    }

    /** Writes {@code 10:20:30.123Z}. */
    void writeTimeOfDay(WireBuffer out, long epochMillis) {
        render(epochMillis);
        out.put(text.array(), TIME_OF_DAY, text.length() - TIME_OF_DAY);
    }

    private void render(long epochMillis) {
        long millis = Math.max(0, Math.min(epochMillis, LAST));
        if (millis / 1000 != second) {
            second = millis / 1000;
            render(LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC));
        }
        int fraction = (int) (millis - second * 1000);
        byte[] digits = text.array();
        digits[FRACTION] = (byte) ('0' + fraction / 100);
        digits[FRACTION + 1] = (byte) ('0' + fraction / 10 % 10);
        digits[FRACTION + 2] = (byte) ('0' + fraction % 10);
    }

    private void render(LocalDateTime time) {
        text.clear()
                .paddedDecimal(time.getYear(), 4)
                .put('-')
                .paddedDecimal(time.getMonthValue(), 2)
                .put('-')
                .paddedDecimal(time.getDayOfMonth(), 2)
                .put('T')
                .paddedDecimal(time.getHour(), 2)
                .put(':')
                .paddedDecimal(time.getMinute(), 2)
                .put(':')
                .paddedDecimal(time.getSecond(), 2)
                .ascii(".000Z");
    }
}
