// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Gzip at its fastest level, which expositions compress well under; closing it leaves the stream below open. */
final class FastGzip extends GZIPOutputStream {
    private static final int CHUNK = 16 * 1024;

    FastGzip(OutputStream out) throws IOException {
        super(out, CHUNK);
        def.setLevel(Deflater.BEST_SPEED);
    }

    @Override
    public void close() throws IOException {
        try {
            finish();
        } finally {
            def.end();
        }
    }
}
