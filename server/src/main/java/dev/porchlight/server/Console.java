// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.metrics.PoolState;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.console.Sampler;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.EventStreams;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.routes.ConsoleRoutes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** What operators look at, wired: samples, the ceremonies' history, and those who watch. Thread-safe. */
final class Console implements AutoCloseable {
    private static final int MOST_WATCHERS = 16;

    private final EventStreams watchers = new EventStreams(MOST_WATCHERS);
    private final Sampler sampler;
    private final ConsoleRoutes routes;

    Console(
            Observability observe,
            Supplier<PoolState> pool,
            CeremonyHistory history,
            RefusedResponses responses,
            PasskeyConfig party,
            InstantSource clock,
            Duration sampling) {
        sampler = new Sampler(observe, pool, history, clock, sampling, sample -> watchers.send("sample", sample));
        routes = new ConsoleRoutes(history, responses, sampler, watchers, party);
    }

    void mount(Router.Builder router) {
        routes.mount(router);
    }

    void start() {
        sampler.start();
    }

    /** Sends those who watch away, so that nothing waits for them. */
    void drain() {
        watchers.close();
    }

    @Override
    public void close() {
        watchers.close();
        sampler.close();
    }
}
