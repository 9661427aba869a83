// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A stream whose writes each wait for a permit. */
final class GatedSink extends OutputStream {
    private final Semaphore permits = new Semaphore(0);
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private volatile int begun;

    @Override
    public void write(int oneByte) {
        write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes at a time, which is what is tested elsewhere
    public void write(byte[] bytes, int from, int count) {
        begun++;
        permits.acquireUninterruptibly();
        writes.add(new String(bytes, from, count, UTF_8));
    }

    void permit(int count) {
        permits.release(count);
    }

    void open() {
        permits.release(1_000_000);
    }

    /** Returns the number of writes that have started. */
    int begun() {
        return begun;
    }

    /** Returns the text of each write. */
    List<String> writes() {
        return writes;
    }

    List<String> messages() {
        return String.join("", writes)
                .lines()
                .map(StrictJson::object)
                .map(line -> (String) line.get("message"))
                .toList();
    }
}
