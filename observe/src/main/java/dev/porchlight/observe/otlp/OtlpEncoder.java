// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.wire.WireBuffer;
import java.util.List;

/**
 * Encodes items as the body of an OTLP request: the resource, one scope, and the items.
 *
 * @param items writes one item
 */
public record OtlpEncoder<T>(Signal signal, KeyValues resource, boolean json, ItemWriter<T> items) {
    /** The semantic conventions that attribute names follow. */
    private static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0";

    private static final String SCOPE_NAME = "dev.porchlight.observe";

    /** The field numbers are the same for all signals. */
    private static final int ITEMS = 2;

    /** Writes the item at an index of a batch, as an element of field 2. */
    @FunctionalInterface
    public interface ItemWriter<T> {
        void write(OtlpWriter out, int field, List<T> batch, int index);
    }

    String contentType() {
        return json ? "application/json" : "application/x-protobuf";
    }

    /** Appends one request. Returns false, with undefined buffer content, if it exceeds {@code limit} bytes. */
    public boolean encode(List<T> batch, WireBuffer out, int limit) {
        OtlpWriter writer = json ? new JsonWriter(out) : new ProtoWriter(out);
        if (json) {
            out.put('{');
        }
        String plural = signal == Signal.TRACES ? "Spans" : signal == Signal.METRICS ? "Metrics" : "Logs";
        writer.list("resource" + plural);
        int whole = writer.element(1);
        int resourceStart = writer.begin(1, "resource");
        writer.attributes(1, resource);
        writer.end(resourceStart);
        writer.list("scope" + plural);
        int scoped = writer.element(2);
        int scope = writer.begin(1, "scope");
        writer.text(1, "name", SCOPE_NAME);
        writer.text(2, "version", LibraryVersion.TEXT);
        writer.end(scope);
        writer.list(signal == Signal.TRACES ? "spans" : signal == Signal.METRICS ? "metrics" : "logRecords");
        for (int i = 0; i < batch.size(); i++) {
            items.write(writer, ITEMS, batch, i);
            if (out.length() > limit) {
                return false;
            }
        }
        writer.endList();
        writer.text(3, "schemaUrl", SCHEMA_URL);
        writer.end(scoped);
        writer.endList();
        writer.text(3, "schemaUrl", SCHEMA_URL);
        writer.end(whole);
        writer.endList();
        if (json) {
            out.put('}');
        }
        return out.length() <= limit;
    }
}
