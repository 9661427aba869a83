// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A response: status, headers and body. Immutable; the body is handed over and must not be changed afterwards. */
public final class Answer {
    private static final byte[] NOTHING = {};

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final @Nullable Consumer<EventStream> stream;

    private Answer(int status, List<Header> headers, byte[] body, @Nullable Consumer<EventStream> stream) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.stream = stream;
    }

    record Header(String name, String value) {}

    /** An answer without a body. */
    public static Answer of(int status) {
        return new Answer(status, List.of(), NOTHING, null);
    }

    public static Answer of(int status, String contentType, byte[] body) {
        return new Answer(status, List.of(new Header("Content-Type", contentType)), body, null);
    }

    public static Answer json(int status, String json) {
        return json(status, json.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer json(int status, byte[] json) {
        return of(status, "application/json", json);
    }

    /** An answer that goes on after its headers; the stream is handed over when it has begun. */
    public static Answer stream(String contentType, Consumer<EventStream> begun) {
        return new Answer(200, List.of(new Header("Content-Type", contentType)), NOTHING, begun);
    }

    /** This answer with one header more. */
    public Answer with(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new Answer(status, List.copyOf(more), body, stream);
    }

    public int status() {
        return status;
    }

    List<Header> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    /** Who waits for the stream, if this answer is one. */
    @Nullable
    Consumer<EventStream> stream() {
        return stream;
    }
}
