// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import dev.porchlight.base.Bytes;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Gzip;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves one file, with gzip compression and conditional requests. Thread-safe. */
final class WebFile implements Handler {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "png", "image/png",
            "svg", "image/svg+xml");

    /** The names of files in the directories of this package. */
    private static final Pattern ASSET = Pattern.compile("[a-z-]+\\.(?:css|js|svg)");

    /** The bytes of one encoding with their ETag. */
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
    private final Supplier<byte[]> content;
    private volatile @Nullable Variant plain;
    private volatile @Nullable Variant gzip;

    /**
     * Creates a file.
     *
     * @param name determines the content type by its extension
     * @param content read for the first request
     * @param headers additional response headers; also sent with a 304, because browsers update cached headers from it
     */
    WebFile(String name, Supplier<byte[]> content, Map<String, String> headers) {
        String contentType = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (contentType == null) {
            throw new IllegalArgumentException("unknown content type: " + name);
        }
        this.type = contentType;
        this.headers = Map.copyOf(headers);
        this.content = content;
    }

    @Override
    public Response handle(Exchange exchange) {
        boolean gzipped = Gzip.isAccepted(exchange);
        Variant variant = variant(gzipped);
        boolean unchanged = matches(exchange.headers("If-None-Match"), variant.tag);
        Response response = unchanged ? Response.of(304) : Response.of(200, type, variant.body);
        if (gzipped && !unchanged) {
            response = response.with("Content-Encoding", "gzip");
        }
        return withHeaders(response)
                .with("ETag", variant.tag)
                .with("Vary", "Accept-Encoding")
                .with("Cache-Control", "no-cache");
    }

    /** Reads, compresses and hashes for the first request, not at startup: few clients use every file, language and encoding. */
    private Variant variant(boolean gzipped) {
        Variant variant = gzipped ? gzip : plain;
        if (variant == null) {
            variant = new Variant(gzipped ? Gzip.compress(variant(false).body) : content.get());
            if (gzipped) {
                gzip = variant;
            } else {
                plain = variant;
            }
        }
        return variant;
    }

    /** Returns the file with another status than 200, uncompressed and not cacheable. */
    Response withStatus(int status) {
        return withHeaders(Response.of(status, type, variant(false).body)).with("Cache-Control", "no-store");
    }

    private Response withHeaders(Response response) {
        Response with = response;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            with = with.with(header.getKey(), header.getValue());
        }
        return with;
    }

    /** Whether If-None-Match matches the tag. Weak tags count, because compressing proxies weaken them. */
    private static boolean matches(List<String> conditions, String tag) {
        for (String condition : conditions) {
            for (String part : condition.split(",", -1)) {
                String candidate = part.strip();
                if (candidate.equals("*") || candidate.equals(tag) || candidate.equals("W/" + tag)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns a file of a directory of this package, or null if there is none. */
    static @Nullable WebFile find(String directory, String name) {
        return ASSET.matcher(name).matches() && WebFile.class.getResource(directory + name) != null
                ? new WebFile(name, () -> read(directory + name), Map.of())
                : null;
    }

    /** Reads a resource of this package. */
    static byte[] read(String file) {
        try (InputStream in = WebFile.class.getResourceAsStream(file)) {
            return Objects.requireNonNull(in, () -> "missing resource: " + file).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
