// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.metrics.Negotiation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Gzip compression of response bodies. */
public final class Gzip {
    private Gzip() {}

    /** Whether the client accepts a compressed body. */
    public static boolean isAccepted(Exchange exchange) {
        return Negotiation.of(null, String.join(",", exchange.headers("Accept-Encoding")))
                .gzip();
    }

    public static byte[] compress(byte[] content) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(content.length / 4);
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // writes to memory only
        }
        return compressed.toByteArray();
    }
}
