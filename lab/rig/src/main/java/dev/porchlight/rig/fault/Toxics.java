// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.fault;

/**
 * What a {@link FaultProxy} does to connections; zero leaves a thing as it is.
 *
 * @param latencyMillis how long each part of an answer is held up
 * @param jitterMillis by how much that varies, up or down
 * @param bytesPerSecond how much a direction of a connection carries
 * @param sliceBytes into how small parts what came together is cut
 * @param limitBytes after how many bytes towards the client a connection is closed
 * @param slowCloseMillis how long an end is kept from the other side
 * @param resetEvery every how many connections one is reset at its first answer
 * @param blackHole whether nothing arrives and nothing is refused: what is sent now arrives when that ends
 */
public record Toxics(
        int latencyMillis,
        int jitterMillis,
        int bytesPerSecond,
        int sliceBytes,
        int limitBytes,
        int slowCloseMillis,
        int resetEvery,
        boolean blackHole) {
    /** A good connection. */
    public static final Toxics NONE = new Toxics(0, 0, 0, 0, 0, 0, 0, false);

    public Toxics latency(int millis, int jitter) {
        return new Toxics(
                millis, jitter, bytesPerSecond, sliceBytes, limitBytes, slowCloseMillis, resetEvery, blackHole);
    }

    public Toxics bandwidth(int bytesASecond) {
        return new Toxics(
                latencyMillis,
                jitterMillis,
                bytesASecond,
                sliceBytes,
                limitBytes,
                slowCloseMillis,
                resetEvery,
                blackHole);
    }

    public Toxics slicer(int bytes) {
        return new Toxics(
                latencyMillis, jitterMillis, bytesPerSecond, bytes, limitBytes, slowCloseMillis, resetEvery, blackHole);
    }

    public Toxics limitData(int bytes) {
        return new Toxics(
                latencyMillis, jitterMillis, bytesPerSecond, sliceBytes, bytes, slowCloseMillis, resetEvery, blackHole);
    }

    public Toxics slowClose(int millis) {
        return new Toxics(
                latencyMillis, jitterMillis, bytesPerSecond, sliceBytes, limitBytes, millis, resetEvery, blackHole);
    }

    public Toxics resetEvery(int connections) {
        return new Toxics(
                latencyMillis,
                jitterMillis,
                bytesPerSecond,
                sliceBytes,
                limitBytes,
                slowCloseMillis,
                connections,
                blackHole);
    }

    public Toxics blackHole(boolean open) {
        return new Toxics(
                latencyMillis, jitterMillis, bytesPerSecond, sliceBytes, limitBytes, slowCloseMillis, resetEvery, open);
    }
}
