// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.util.concurrent.TimeUnit;

/** One address holds more connections than one address should, idle and with unfinished headers. */
final class Connections implements Attack {
    /** More than the share of an address at any heap; a service with little memory is not exhausted by them. */
    private static final int COUNT = 1_100;
    /** Shorter than the time in which headers must arrive: connections closed later were closed for that. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(8);

    @Override
    public void run(Scene scene, Score score) {
        String headers = "GET " + Access.SESSION + " HTTP/1.1\r\nHost: "
                + scene.target().authority() + "\r\nX-Held: " + "a".repeat(4_000);
        hold(scene, score, "idle", "");
        hold(scene, score, "with unfinished headers", headers);
    }

    private static void hold(Scene scene, Score score, String how, String beginning) {
        String what = COUNT + " connections of one address, " + how;
        try (HeldConnections connections = new HeldConnections()) {
            long begun = System.nanoTime();
            connections.open(scene.target(), COUNT, beginning);
            boolean closed = connections.closed(1);
            if (System.nanoTime() - begun > LONGEST_NANOS) {
                score.skip(what, "they could not be opened fast enough");
                return;
            }
            score.check(what, closed, "all are held");
            Response response = scene.target().get(Access.SESSION);
            score.check(
                    "a request beside " + what,
                    response.status() > 0 && response.status() < 500,
                    "answered " + response.status());
        }
    }
}
