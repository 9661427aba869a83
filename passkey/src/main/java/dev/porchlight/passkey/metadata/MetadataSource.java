// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where BLOBs come from. Implementations are thread-safe. */
@FunctionalInterface
public interface MetadataSource {
    /** Returns the newest BLOB, of at most {@link MetadataBlob#MAX_BYTES} characters. */
    String read() throws IOException;

    /** Returns whether a BLOB must be signed with a certificate that is still valid. Not for files, which may be old. */
    default boolean isLive() {
        return false;
    }

    /** Reads a file each time. */
    static MetadataSource file(Path file) {
        return () -> {
            try (InputStream in = Files.newInputStream(file)) {
                return new String(in.readNBytes(MetadataBlob.MAX_BYTES + 1), ISO_8859_1).strip();
            }
        };
    }

    /**
     * Requests a URL, such as {@code https://mds.fidoalliance.org/}. Redirects are not followed.
     *
     * @param uri https, or http on this machine
     * @param timeout to connect, and for the headers of the response; the whole response may take four times as long
     */
    static MetadataSource url(URI uri, Duration timeout) {
        String host = String.valueOf(uri.getHost());
        boolean local = host.equals("localhost") || host.matches("127(\\.[0-9]{1,3}){3}") || host.equals("[::1]");
        if (!"https".equals(uri.getScheme()) && !(local && "http".equals(uri.getScheme()))) {
            throw new IllegalArgumentException("must be an https URL");
        }
        return new MetadataSource() {
            @Override
            public boolean isLive() {
                return true;
            }

            @Override
            public String read() throws IOException {
                var received = new ByteArrayOutputStream();
                HttpClient http = HttpClient.newBuilder()
                        .connectTimeout(timeout)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
                HttpRequest request =
                        HttpRequest.newBuilder(uri).timeout(timeout).build();
                // The rest of a response that is too long is not kept.
                CompletableFuture<HttpResponse<Void>> exchange = http.sendAsync(
                        request,
                        HttpResponse.BodyHandlers.ofByteArrayConsumer(
                                chunk -> chunk.filter(bytes -> received.size() <= MetadataBlob.MAX_BYTES)
                                        .ifPresent(received::writeBytes)));
                HttpResponse<Void> response = complete(exchange);
                if (response.statusCode() != 200) {
                    throw new IOException("the status is " + response.statusCode()
                            + response.headers()
                                    .firstValue("Location")
                                    .map(location -> ", a redirect to " + location)
                                    .orElse(""));
                }
                return received.toString(ISO_8859_1).strip();
            }

            private HttpResponse<Void> complete(CompletableFuture<HttpResponse<Void>> exchange) throws IOException {
                try {
                    return exchange.get(4 * timeout.toMillis(), TimeUnit.MILLISECONDS);
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof IOException cause && cause.getMessage() != null
                            ? cause
                            : new IOException("no response from " + uri.getHost(), e.getCause());
                } catch (TimeoutException e) {
                    throw new IOException("the response took longer than " + 4 * timeout.toSeconds() + " seconds", e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                } finally {
                    exchange.cancel(true); // closes the connection if the response is not complete
                }
            }
        };
    }
}
