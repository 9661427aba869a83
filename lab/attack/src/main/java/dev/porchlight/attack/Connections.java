// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import java.util.concurrent.TimeUnit;

/** More connections from one address than a service should allow, idle and with unfinished headers. */
final class Connections extends Attack {
    /** More than one address may hold at any heap size, but not enough to exhaust a service with little memory. */
    private static final int COUNT = 1_100;
    /** Shorter than the header timeout: connections that are closed later were closed by the timeout. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(8);

    @Override
    void attempt() {
        String headers = "GET " + Person.SESSION + " HTTP/1.1\r\nHost: " + target.authority() + "\r\nX-Held: "
                + "a".repeat(4_000);
        hold("idle", "");
        hold("with unfinished headers", headers);
    }

    private void hold(String how, String beginning) {
        String what = COUNT + " connections from one address, " + how;
        try (OpenConnections connections = new OpenConnections()) {
            long started = System.nanoTime();
            connections.open(target, COUNT, beginning);
            boolean closed = connections.closed(1);
            if (System.nanoTime() - started > LONGEST_NANOS) {
                skip(what, "the connections could not be opened fast enough");
                return;
            }
            checkUnlessProxied(what, closed, "keeps all open");
            expectServed("a request during " + what, target.get(Person.SESSION).status());
        }
    }
}
