// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.support;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The last lines of the logs of the services that tests have started. Needs only the JDK. Thread-safe. */
public final class ServiceLogs {
    /** More than concurrent tests start. */
    private static final int CLOSED = 32;

    private static final int LINES = 60;
    private static final int LINE_LENGTH = 1_000;
    private static final Map<Object, Supplier<String>> RUNNING = new IdentityHashMap<>();
    private static final Deque<Closed> RECENTLY_CLOSED = new ArrayDeque<>();

    /** A service that was closed, by its test or after it. */
    private record Closed(long nanoTime, String text) {}

    private ServiceLogs() {}

    /** Registers a running service, whose description is its {@code toString}. */
    public static synchronized void add(Object service, Supplier<String> log) {
        RUNNING.put(service, log);
    }

    /** Keeps the last lines of a service that is closed, because a test closes its service before its failure is reported. */
    public static synchronized void close(Object service) {
        Supplier<String> log = RUNNING.remove(service);
        if (log != null) {
            RECENTLY_CLOSED.add(new Closed(System.nanoTime(), end(service, log)));
            if (RECENTLY_CLOSED.size() > CLOSED) {
                RECENTLY_CLOSED.remove();
            }
        }
    }

    /** The end of the logs of all services that ran after a point in time. */
    static synchronized String since(long nanoTime) {
        List<String> all = new ArrayList<>();
        RECENTLY_CLOSED.stream()
                .filter(closed -> closed.nanoTime() - nanoTime >= 0)
                .forEach(closed -> all.add(closed.text()));
        RUNNING.forEach((service, log) -> all.add(end(service, log)));
        return String.join("", all);
    }

    private static String end(Object service, Supplier<String> log) {
        List<String> lines = log.get().lines().toList();
        StringBuilder end = new StringBuilder("\n--- ").append(service);
        if (lines.size() > LINES) {
            end.append(", the last ")
                    .append(LINES)
                    .append(" of ")
                    .append(lines.size())
                    .append(" lines");
        }
        end.append(" ---\n");
        for (String line : lines.subList(Math.max(0, lines.size() - LINES), lines.size())) {
            end.append(line, 0, Math.min(line.length(), LINE_LENGTH)).append('\n');
        }
        return end.toString();
    }
}
