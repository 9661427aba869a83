// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import dev.porchlight.observe.http.ObservedRequest;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.CharBuffer;
import org.jspecify.annotations.Nullable;

/** Reports the bytes of a response's body; those of text are counted as UTF-8. Not thread-safe. */
final class CountingResponse extends HttpServletResponseWrapper {
    private final ObservedRequest observed;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    CountingResponse(HttpServletResponse response, ObservedRequest observed) {
        super(response);
        this.observed = observed;
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
            observed.sent(1);
        }

        @Override
        public void write(byte[] source, int from, int count) throws IOException {
            out.write(source, from, count);
            observed.sent(count);
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
            write(new char[] {(char) character}, 0, 1);
        }

        @Override
        public void write(char[] source, int from, int count) throws IOException {
            out.write(source, from, count);
            count(CharBuffer.wrap(source, from, count));
        }

        @Override
        public void write(String source, int from, int count) throws IOException {
            out.write(source, from, count);
            count(CharBuffer.wrap(source, from, from + count));
        }

        /** A pair of surrogates is one character of four bytes. */
        private void count(CharBuffer text) {
            long bytes = 0;
            for (int i = 0; i < text.length(); i++) {
                char unit = text.charAt(i);
                bytes += unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
            }
            observed.sent(bytes);
        }
    }
}
