// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import dev.porchlight.base.Bytes;
import dev.porchlight.observe.metrics.Negotiation;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** A file as it is served: compressed for those who can read it so, and not at all to those who have it. Immutable. */
final class WebFile implements Handler {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml");

    /** The bytes of one encoding, and the tag that no other bytes have. */
    private static final class Variant {
        final byte[] body;
        final String tag;

        Variant(byte[] body) {
            this.body = body;
            this.tag = '"' + Bytes.copyOf(body).sha256().slice(0, 16).hex() + '"';
        }
    }

    private final String type;
    private final Map<String, String> headers;
    private final Variant plain;
    private final Variant gzip;

    /**
     * A file of these bytes.
     *
     * @param name tells by its ending what kind of file it is
     * @param headers what goes out with it besides; with a 304 too, because browsers keep the newest
     */
    WebFile(String name, byte[] content, Map<String, String> headers) {
        String kind = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (kind == null) {
            throw new IllegalArgumentException("no content type is known for " + name);
        }
        this.type = kind;
        this.headers = Map.copyOf(headers);
        this.plain = new Variant(content);
        this.gzip = new Variant(compress(content));
    }

    @Override
    public Response handle(Exchange exchange) {
        boolean zipped = Negotiation.of(null, String.join(",", exchange.headers("Accept-Encoding")))
                .gzip();
        Variant variant = zipped ? gzip : plain;
        boolean known = names(exchange.headers("If-None-Match"), variant.tag);
        Response response = known ? Response.of(304) : Response.of(200, type, variant.body);
        if (zipped && !known) {
            response = response.with("Content-Encoding", "gzip");
        }
        for (Map.Entry<String, String> header : headers.entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response.with("ETag", variant.tag)
                .with("Vary", "Accept-Encoding")
                .with("Cache-Control", "no-cache");
    }

    /** Whether a condition names the tag, or any. Proxies that compress make tags weak; what we know by them is the same. */
    private static boolean names(List<String> conditions, String tag) {
        for (String condition : conditions) {
            for (String part : condition.split(",", -1)) {
                String named = part.strip();
                if (named.equals("*") || named.equals(tag) || named.equals("W/" + tag)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static byte[] compress(byte[] content) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(content.length);
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written but memory
        }
        return compressed.toByteArray();
    }
}
