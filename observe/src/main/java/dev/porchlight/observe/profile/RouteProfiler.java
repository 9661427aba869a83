// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Latency per route, under keys such as {@code GET /users/{id}}.
 *
 * <p>The number of routes is limited; further routes are recorded under {@value #OVERFLOW}. A route uses at most 105
 * KB. Thread-safe.
 */
public final class RouteProfiler {
    /** The route that stands for all routes beyond the limit. */
    public static final String OVERFLOW = "__overflow__";

    private static final int DEFAULT_MAX_ROUTES = 256;
    private static final double NANOS_PER_MS = 1e6;

    private final Map<String, RouteRecorder> routes = new ConcurrentHashMap<>();
    private final int maxRoutes;
    private final LongSupplier nanoTime;

    public RouteProfiler() {
        this(DEFAULT_MAX_ROUTES, System::nanoTime);
    }

    /**
     * Creates a profiler with its own limit and clock.
     *
     * @param maxRoutes how many routes are distinguished, at least 1; {@value #OVERFLOW} is one more
     */
    public RouteProfiler(int maxRoutes, LongSupplier nanoTime) {
        if (maxRoutes < 1) {
            throw new IllegalArgumentException("maxRoutes must be at least 1: " + maxRoutes);
        }
        this.maxRoutes = maxRoutes;
        this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
    }

    /** Records a duration in milliseconds. Ignores values that are negative or not finite. */
    public void record(String route, double ms) {
        if (ms >= 0 && ms <= Double.MAX_VALUE) {
            recorder(route).record(Math.round(ms * NANOS_PER_MS));
        }
    }

    /** Returns the recorder of a route, for callers that record often. */
    public RouteRecorder recorder(String route) {
        String key = String.valueOf((Object) route);
        RouteRecorder known = routes.get(key);
        return known != null ? known : add(key);
    }

    /** Returns the statistics of a route since the start. */
    public RouteStatistics statistics(String route) {
        return statistics(routes.get(String.valueOf((Object) route)), RouteRecorder::overall);
    }

    /** Returns the statistics of a route for the last minute. */
    public RouteStatistics lastMinute(String route) {
        return statistics(routes.get(String.valueOf((Object) route)), RouteRecorder::lastMinute);
    }

    /** Returns the statistics since the start, by route. */
    public SortedMap<String, RouteStatistics> statistics() {
        return all(RouteRecorder::overall);
    }

    /** Returns the statistics for the last minute, by route. */
    public SortedMap<String, RouteStatistics> lastMinute() {
        return all(RouteRecorder::lastMinute);
    }

    private synchronized RouteRecorder add(String route) {
        boolean room = routes.size() - (routes.containsKey(OVERFLOW) ? 1 : 0) < maxRoutes;
        String key = room || routes.containsKey(route) ? route : OVERFLOW;
        return routes.computeIfAbsent(key, unused -> new RouteRecorder(nanoTime));
    }

    private static RouteStatistics statistics(
            @Nullable RouteRecorder recorder, Function<RouteRecorder, RouteStatistics> view) {
        return recorder == null ? RouteStatistics.NONE : view.apply(recorder);
    }

    private SortedMap<String, RouteStatistics> all(Function<RouteRecorder, RouteStatistics> view) {
        SortedMap<String, RouteStatistics> all = new TreeMap<>();
        routes.forEach((route, recorder) -> all.put(route, view.apply(recorder)));
        return Collections.unmodifiableSortedMap(all);
    }
}
