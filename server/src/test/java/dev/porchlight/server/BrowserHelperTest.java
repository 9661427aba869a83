// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The browser helper as packaged in the jar. Its own tests are in JavaScript. */
class BrowserHelperTest {
    private static final int MOST_BYTES = 4_096;

    @Test
    void the_core_is_at_most_4_kib_gzipped() throws Exception {
        assertThat(gzip(core())).hasSizeLessThanOrEqualTo(MOST_BYTES);
    }

    private static byte[] core() throws IOException {
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
