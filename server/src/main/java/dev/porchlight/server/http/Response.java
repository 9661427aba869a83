// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A response: status, headers and body. Immutable; the caller must not change the body afterwards. */
public final class Response {
    private static final byte[] NOTHING = {};

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final @Nullable Consumer<EventStream> stream;

    private Response(int status, List<Header> headers, byte[] body, @Nullable Consumer<EventStream> stream) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.stream = stream;
    }

    record Header(String name, String value) {}

    /** A response without a body. */
    public static Response of(int status) {
        return new Response(status, List.of(), NOTHING, null);
    }

    public static Response of(int status, String contentType, byte[] body) {
        return new Response(status, List.of(new Header("Content-Type", contentType)), body, null);
    }

    public static Response json(int status, String json) {
        return json(status, json.getBytes(StandardCharsets.UTF_8));
    }

    /** A JSON object with these members. */
    public static Response json(int status, Consumer<JsonWriter> members) {
        return json(status, JsonWriter.object(members));
    }

    public static Response json(int status, byte[] json) {
        return of(status, "application/json", json);
    }

    /** Sends the browser to another URI, with GET. */
    public static Response redirect(String uri) {
        return of(303).with("Location", uri).with("Cache-Control", "no-store");
    }

    /** A response that continues after its headers; {@code begun} receives the stream when they are sent. */
    public static Response stream(String contentType, Consumer<EventStream> begun) {
        return new Response(200, List.of(new Header("Content-Type", contentType)), NOTHING, begun);
    }

    /** Returns this response with another header. */
    public Response with(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new Response(status, List.copyOf(more), body, stream);
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

    /** Receives the stream, or null if this response is not a stream. */
    @Nullable
    Consumer<EventStream> stream() {
        return stream;
    }
}
