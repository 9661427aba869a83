// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.fault;

/**
 * The faults that a {@link FaultProxy} injects; zero means none.
 *
 * @param latencyMillis the delay of each chunk of a response
 * @param jitterMillis the random variation of the delay, up or down
 * @param bytesPerSecond the bandwidth per direction of a connection
 * @param resetEvery resets one in this many connections at its first response
 * @param blackHole whether data is held back without refusing anything; it is delivered when this ends
 */
public record Toxics(int latencyMillis, int jitterMillis, int bytesPerSecond, int resetEvery, boolean blackHole) {
    /** No faults. */
    public static final Toxics NONE = new Toxics(0, 0, 0, 0, false);

    public Toxics latency(int millis, int jitter) {
        return new Toxics(millis, jitter, bytesPerSecond, resetEvery, blackHole);
    }

    public Toxics bandwidth(int bytesASecond) {
        return new Toxics(latencyMillis, jitterMillis, bytesASecond, resetEvery, blackHole);
    }

    public Toxics resetEvery(int connections) {
        return new Toxics(latencyMillis, jitterMillis, bytesPerSecond, connections, blackHole);
    }

    public Toxics blackHole(boolean open) {
        return new Toxics(latencyMillis, jitterMillis, bytesPerSecond, resetEvery, open);
    }
}
