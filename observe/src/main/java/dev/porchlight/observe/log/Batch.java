// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.Arrays;

/** Lines to be written together. Not thread-safe; reusable. */
final class Batch {
    private static final int WORTH_KEEPING = 256 * 1024;

    private final int[] lines = new int[Level.values().length];
    private WireBuffer bytes = new WireBuffer(0);

    WireBuffer bytes() {
        return bytes;
    }

    void add(WireBuffer line, Level level) {
        if (line.length() > 0) {
            bytes.put(line.array(), 0, line.length());
            lines[level.rank]++;
        }
    }

    /** Counts the lines as written or as lost, and empties the batch. */
    void settle(LogStats stats, boolean written) {
        for (int level = 0; level < lines.length; level++) {
            if (lines[level] == 0) {
                continue;
            }
            if (written) {
                stats.countWritten(level, lines[level]);
            } else {
                stats.countDropped(level, LineDropReason.SINK_FAILED, lines[level]);
            }
        }
        Arrays.fill(lines, 0);
        bytes = bytes.capacity() > WORTH_KEEPING ? new WireBuffer(0) : bytes.clear();
    }
}
