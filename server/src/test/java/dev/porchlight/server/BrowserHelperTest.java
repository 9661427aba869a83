// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The browser helper as packaged in the jar. Its own tests are in JavaScript. */
class BrowserHelperTest {
    private static final int MOST_BYTES = 4_096;

    @Test
    void the_helper_is_at_most_4_kib_gzipped() throws Exception {
        assertThat(gzip(served())).hasSizeLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void the_helper_is_the_published_file() throws Exception {
        Path published = Path.of(System.getProperty("porchlight.root"), "client/src/porchlight.js");

        assertThat(served()).isEqualTo(Files.readAllBytes(published));
    }

    private static byte[] served() throws IOException {
        try (var file = App.class.getResourceAsStream("web/porchlight.js")) {
            return file.readAllBytes();
        }
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            gzip.write(content);
        }
        return compressed.toByteArray();
    }
}
