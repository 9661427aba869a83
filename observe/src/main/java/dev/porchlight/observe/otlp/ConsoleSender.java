// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.wire.WireBuffer;
import java.io.PrintStream;
import java.util.List;

/** Writes each batch as one line of OTLP JSON, to inspect telemetry without a collector. */
final class ConsoleSender<T> implements Sender<T> {
    private final PrintStream out;
    private final OtlpEncoder<T> encoder;
    private final WireBuffer line = new WireBuffer(4096);

    ConsoleSender(PrintStream out, OtlpEncoder<T> encoder) {
        this.out = out;
        this.encoder = encoder;
    }

    @Override
    public boolean load(List<T> batch) {
        boolean fits = encoder.encode(batch, line.clear(), OtlpSender.MAX_REQUEST);
        line.put('\n');
        return fits;
    }

    @Override
    public Outcome send(long limitNanos) {
        out.write(line.array(), 0, line.length());
        out.flush();
        return Outcome.ACCEPTED;
    }
}
