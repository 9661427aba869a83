// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.observe.health.HealthReport;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Negotiation;
import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.profile.RouteStatistics;
import dev.porchlight.observe.wire.WireBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The responses for scrapers and probes, for any server; {@link TelemetryHandlers} serves them with the JDK's. Thread-safe.
 *
 * <p>Responses show the inside of a service: keep them from the public, for example on a separate port.
 */
public final class TelemetryEndpoints {
    private static final long RETRY_SECONDS = 5;
    private static final String JSON = "application/json";

    private final Scrapes scrapes;
    private final HealthRegistry health;
    private final RouteProfiler profiler;
    private final boolean details;
    private final @Nullable TelemetryPage page;

    /**
     * Creates the endpoints of a service.
     *
     * @param details whether health responses contain more than up and down, such as a database's address
     * @param reused how long a rendered scrape is reused
     */
    public TelemetryEndpoints(
            MetricRegistry metrics, HealthRegistry health, RouteProfiler profiler, boolean details, Duration reused) {
        this(new Scrapes(metrics::scrape, reused, System::nanoTime), health, profiler, details, null);
    }

    private TelemetryEndpoints(
            Scrapes scrapes,
            HealthRegistry health,
            RouteProfiler profiler,
            boolean details,
            @Nullable TelemetryPage page) {
        this.scrapes = scrapes;
        this.health = health;
        this.profiler = profiler;
        this.details = details;
        this.page = page;
    }

    /** Returns these endpoints and the page, at {@code /observe/}. */
    public TelemetryEndpoints with(TelemetryPage newPage) {
        return new TelemetryEndpoints(scrapes, health, profiler, details, Objects.requireNonNull(newPage, "newPage"));
    }

    public boolean hasPage() {
        return page != null;
    }

    /**
     * A file of the page, or 404.
     *
     * @param name the path below {@code /observe/}; empty for the page itself
     */
    public EndpointResponse page(String name) throws IOException {
        EndpointResponse file = page == null ? null : page.file(name);
        return file == null ? new EndpointResponse(404, "text/plain", noStore(), new byte[0]) : file;
    }

    /** The metrics, in the negotiated format; 503 if too many scrapes run at once. Absent headers are null. */
    public EndpointResponse metrics(@Nullable String accept, @Nullable String acceptEncoding) throws IOException {
        Negotiation negotiation = Negotiation.of(accept, acceptEncoding);
        byte[] body = scrapes.scrape(negotiation);
        Map<String, String> headers = noStore();
        if (body == null) {
            headers.put("Retry-After", "1");
            return new EndpointResponse(503, "text/plain", headers, "too many scrapes at once\n".getBytes(UTF_8));
        }
        headers.put("Vary", Negotiation.VARY);
        if (negotiation.gzip()) {
            headers.put("Content-Encoding", "gzip");
        }
        return new EndpointResponse(200, negotiation.contentType(), headers, body);
    }

    /** The response to a liveness probe. */
    public EndpointResponse live() {
        return response(health.live());
    }

    /** The response to a readiness probe. */
    public EndpointResponse ready() {
        return response(health.ready());
    }

    private EndpointResponse response(HealthReport report) {
        byte[] body = details ? report.json() : report.jsonWithoutDetails();
        Map<String, String> headers = noStore();
        if (!report.ok()) {
            long retry = report.remainingMs() > 0 ? (report.remainingMs() + 999) / 1_000 : RETRY_SECONDS;
            headers.put("Retry-After", Long.toString(retry));
        }
        return new EndpointResponse(report.ok() ? 200 : 503, JSON, headers, body);
    }

    /** The latency of every route in milliseconds, since the start and for the last minute, as JSON. */
    public EndpointResponse profile() {
        WireBuffer out = new WireBuffer(1024).ascii("{\"routes\":");
        write(out, profiler.statistics());
        out.ascii(",\"lastMinute\":");
        write(out, profiler.lastMinute());
        return new EndpointResponse(200, JSON, noStore(), out.put('}').toByteArray());
    }

    private static void write(WireBuffer out, SortedMap<String, RouteStatistics> routes) {
        out.put('{');
        routes.forEach((route, latency) -> {
            out.ascii(route.equals(routes.firstKey()) ? "" : ",").jsonString(route);
            out.ascii(":{\"count\":").decimal(latency.count());
            out.ascii(",\"meanMs\":").ascii(Double.toString(latency.mean()));
            out.ascii(",\"p50Ms\":").ascii(Double.toString(latency.p50()));
            out.ascii(",\"p95Ms\":").ascii(Double.toString(latency.p95()));
            out.ascii(",\"p99Ms\":").ascii(Double.toString(latency.p99()));
            out.put('}');
        });
        out.put('}');
    }

    private static Map<String, String> noStore() {
        Map<String, String> headers = new TreeMap<>();
        headers.put("Cache-Control", "no-store");
        return headers;
    }
}
