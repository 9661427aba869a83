// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.page.PageFiles;
import dev.porchlight.observe.page.StateSampler;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A page that plots the last hour in a browser: requests, latency per route, server errors, heap and health. Takes samples until
 * it is closed. Thread-safe.
 */
public final class TelemetryPage implements AutoCloseable {
    /** Allows only files of this origin, no inline code, no HTML injection sinks and no framing. */
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none';"
                    + " base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cache-Control",
            "no-store");

    private static final String SAMPLES = "samples/";
    private static final int MAX_DIGITS = 18;

    private final StateSampler sampler;
    private final ScheduledExecutorService scheduler;

    /**
     * Creates the page and takes its first sample.
     *
     * @param sampler is run once per {@link StateSampler#INTERVAL}
     */
    public TelemetryPage(StateSampler sampler) {
        this.sampler = sampler;
        scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "observe-page-sampler");
            thread.setDaemon(true);
            return thread;
        });
        var unused = scheduler.scheduleAtFixedRate(sampler, 0, StateSampler.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns a file of the page by its name; the page itself has an empty name. Null if there is none. */
    @Nullable
    EndpointResponse file(String name) throws IOException {
        if (name.startsWith(SAMPLES)) {
            String after = name.substring(SAMPLES.length());
            boolean number = !after.isEmpty()
                    && after.length() <= MAX_DIGITS
                    && after.chars().allMatch(digit -> digit >= '0' && digit <= '9');
            return number
                    ? new EndpointResponse(200, "application/json", HEADERS, sampler.history(Long.parseLong(after)))
                    : null;
        }
        String file = name.isEmpty() ? "index.html" : name;
        String type = PageFiles.type(file);
        return type == null ? null : new EndpointResponse(200, type, HEADERS, PageFiles.read(file));
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
