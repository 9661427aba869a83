// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.fault;

/**
 * What a {@link FaultProxy} does to connections; zero leaves a thing as it is.
 *
 * @param latencyMillis how long each part of an answer is held up
 * @param jitterMillis by how much that varies, up or down
 * @param bytesPerSecond how much a direction of a connection carries
 * @param resetEvery every how many connections one is reset at its first answer
 * @param blackHole whether nothing arrives and nothing is refused: what is sent now arrives when that ends
 */
public record Toxics(int latencyMillis, int jitterMillis, int bytesPerSecond, int resetEvery, boolean blackHole) {
    /** A good connection. */
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
