// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** Counts the bytes of a response's body; those of text are counted as UTF-8. Not thread-safe. */
final class CountingResponse extends HttpServletResponseWrapper {
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private long bytes;

    CountingResponse(HttpServletResponse response) {
        super(response);
    }

    long bytes() {
        return bytes;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (stream == null) {
            stream = new CountingStream(super.getOutputStream());
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (writer == null) {
            writer = new PrintWriter(new CountingWriter(super.getWriter()));
        }
        return writer;
    }

    private final class CountingStream extends ServletOutputStream {
        private final ServletOutputStream out;

        CountingStream(ServletOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int oneByte) throws IOException {
            out.write(oneByte);
            bytes++;
        }

        @Override
        public void write(byte[] source, int from, int count) throws IOException {
            out.write(source, from, count);
            bytes += count;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }

        @Override
        public boolean isReady() {
            return out.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            out.setWriteListener(listener);
        }
    }

    private final class CountingWriter extends FilterWriter {
        CountingWriter(Writer out) {
            super(out);
        }

        @Override
        public void write(int character) throws IOException {
            super.write(character);
            count((char) character);
        }

        @Override
        public void write(char[] source, int from, int count) throws IOException {
            super.write(source, from, count);
            for (int i = from; i < from + count; i++) {
                count(source[i]);
            }
        }

        @Override
        public void write(String source, int from, int count) throws IOException {
            super.write(source, from, count);
            for (int i = from; i < from + count; i++) {
                count(source.charAt(i));
            }
        }

        /** A pair of surrogates is one character of four bytes. */
        private void count(char unit) {
            bytes += unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
        }
    }
}
