// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.base.MalformedException;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftMetadata;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last good metadata stays in use, and never becomes older. */
class MetadataStoreTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final MetadataTrust KIT = MetadataTrust.of(List.of(SoftAuthenticator.attestationRoot()));
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private String published = blob(7);

    private static String blob(long number) {
        return new SoftMetadata(number, "2026-07-01").sign();
    }

    private MetadataStore store(MetadataSource source) {
        return new MetadataStore(source, KIT, Optional.of(directory.resolve("metadata.jwt")), () -> NOW);
    }

    private MetadataStore store() {
        return store(() -> published);
    }

    private static long number(MetadataStore store) {
        return store.get().orElseThrow().number();
    }

    private static void refused(MetadataStore store) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(store::refresh);
    }

    @Test
    void newer_metadata_replaces_older() throws Exception {
        MetadataStore store = store();
        assertThat(store.get()).isEmpty();

        assertThat(store.refresh()).isTrue();
        assertThat(store.refresh()).as("the same again").isFalse();
        published = blob(8);
        assertThat(store.refresh()).isTrue();

        assertThat(number(store)).isEqualTo(8);
    }

    @Test
    void the_number_never_goes_back() throws Exception {
        MetadataStore store = store();
        store.refresh();
        published = blob(6);

        refused(store);

        assertThat(number(store)).isEqualTo(7);
    }

    @Test
    void the_number_never_goes_back_after_a_restart() throws Exception {
        store().refresh();
        published = blob(6);

        MetadataStore restarted = store();
        restarted.restore();

        refused(restarted);
        assertThat(number(restarted)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "a.b.c"})
    void the_last_good_metadata_stays_in_use(String text) throws Exception {
        MetadataStore store = store();
        store.refresh();
        published = text;

        refused(store);

        assertThat(number(store)).isEqualTo(7);
    }

    @Test
    void the_last_good_metadata_survives_an_outage_and_a_restart() throws Exception {
        store().refresh();

        MetadataStore restarted = store(() -> {
            throw new IOException("unreachable");
        });
        restarted.restore();

        assertThatExceptionOfType(IOException.class).isThrownBy(restarted::refresh);
        assertThat(number(restarted)).isEqualTo(7);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).as("no temporary file").hasSize(1);
        }
    }

    @Test
    void a_damaged_file_is_refused_and_replaced() throws Exception {
        Files.writeString(directory.resolve("metadata.jwt"), "damaged");
        MetadataStore store = store();

        assertThatExceptionOfType(MalformedException.class).isThrownBy(store::restore);
        store.refresh();
        MetadataStore restarted = store();
        restarted.restore();

        assertThat(number(restarted)).isEqualTo(7);
    }

    @Test
    void metadata_that_cannot_be_kept_is_in_use_anyway_and_is_kept_later() throws Exception {
        Path absent = directory.resolve("absent");
        var store = new MetadataStore(() -> published, KIT, Optional.of(absent.resolve("metadata.jwt")), () -> NOW);

        assertThatExceptionOfType(IOException.class).isThrownBy(store::refresh);
        assertThat(number(store)).isEqualTo(7);
        Files.createDirectory(absent);
        store.refresh();

        assertThat(absent.resolve("metadata.jwt")).exists();
    }

    @Test
    void an_expired_signer_is_refused_from_a_service_and_accepted_from_a_file() throws Exception {
        published = new SoftMetadata(7, "2026-01-01")
                .signerExpiry(NOW.minusSeconds(1))
                .sign();
        Path file = Files.writeString(directory.resolve("file.jwt"), published + '\n');

        MetadataStore store = store(MetadataSource.file(file));
        store.refresh();

        assertThat(number(store)).isEqualTo(7);
        serve(200, published, uri -> refused(store(MetadataSource.url(uri, PATIENCE))));
    }

    @Test
    void a_url_is_requested() throws Exception {
        serve(200, published, uri -> {
            MetadataStore store = store(MetadataSource.url(uri, PATIENCE));
            store.refresh();
            assertThat(number(store)).isEqualTo(7);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 404, 500})
    void redirects_and_errors_are_failures(int status) throws Exception {
        serve(
                status,
                published,
                uri -> assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> MetadataSource.url(uri, PATIENCE).read())
                        .withMessageContaining("status is " + status));
    }

    @Test
    void a_response_that_is_too_long_is_not_kept() throws Exception {
        serve(200, "a".repeat(1_000_000), 40, uri -> {
            String read = MetadataSource.url(uri, PATIENCE).read();
            assertThat(read.length()).isBetween(MetadataBlob.MAX_BYTES, 39_000_000);
            refused(store(() -> read));
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://mds.fidoalliance.org/",
                "http://127.evil.example/",
                "file:///etc/passwd",
                "ftp://localhost/",
                "https:",
                "http:///x"
            })
    void only_https_is_requested(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> MetadataSource.url(URI.create(url), PATIENCE));
    }

    private interface Request {
        void to(URI uri) throws Exception;
    }

    private static void serve(int status, String body, Request request) throws Exception {
        serve(status, body, 1, request);
    }

    private static void serve(int status, String body, int times, Request request) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(ISO_8859_1);
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, (long) times * bytes.length);
            for (int i = 0; i < times; i++) {
                exchange.getResponseBody().write(bytes);
            }
            exchange.close();
        });
        server.start();
        try {
            request.to(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"));
        } finally {
            server.stop(0);
        }
    }
}
