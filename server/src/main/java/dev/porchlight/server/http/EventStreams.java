// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Those who listen to one source of server-sent events, at most so many at once. Thread-safe. */
public final class EventStreams {
    private static final Problem FULL =
            Problem.of(503, "too_many_streams", "Too many are listening already; try again in a moment");
    private static final Problem STOPPING = Problem.of(503, "shutting_down", "The service is shutting down");
    private static final byte[] WELCOME = ": welcome\nretry: 3000\n\n".getBytes(StandardCharsets.UTF_8);

    private final int most;
    final Set<EventStream> listening = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public EventStreams(int most) {
        this.most = most;
    }

    /** A response that streams events from now on. */
    public Response join() throws ProblemException {
        if (closed) {
            throw new ProblemException(STOPPING);
        }
        if (listening.size() >= most) {
            throw new ProblemException(FULL);
        }
        return Response.stream("text/event-stream", this::add)
                .with("Cache-Control", "no-store")
                .with("X-Accel-Buffering", "no"); // some proxies would collect events until there are many
    }

    /** Sends an event to all: its name, and its data as JSON without line breaks. */
    public void send(String name, String json) {
        if (!listening.isEmpty()) {
            byte[] event = ("event: " + name + "\ndata: " + json + "\n\n").getBytes(StandardCharsets.UTF_8);
            listening.forEach(stream -> stream.send(event));
        }
    }

    /** Ends all streams, so that nothing waits for them, and refuses new ones. */
    public void close() {
        closed = true;
        listening.forEach(EventStream::close);
    }

    private void add(EventStream stream) {
        stream.onEnd(() -> listening.remove(stream));
        listening.add(stream);
        stream.send(WELCOME);
        if (closed || listening.size() > most) {
            stream.close(); // came in while the door was closing
        }
    }
}
