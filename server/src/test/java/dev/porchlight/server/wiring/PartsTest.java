// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartsTest {
    private final List<String> calls = new ArrayList<>();
    private final Parts parts = new Parts();

    @Test
    void parts_start_in_order_and_close_in_reverse() throws IOException {
        parts.add(new Recorded("database", false, false));
        parts.add(() -> calls.add("close audit"));
        parts.add(new Recorded("http", false, false));
        parts.start();
        parts.close();

        assertThat(calls)
                .containsExactly("start database", "start http", "close http", "close audit", "close database");
    }

    @Test
    void all_parts_are_closed_after_a_failed_start() {
        parts.add(new Recorded("database", false, false));
        parts.add(new Recorded("http", true, true));
        parts.add(new Recorded("console", false, false));

        assertThatThrownBy(parts::start).isInstanceOf(IOException.class);
        IOException failure = new IOException("start");
        parts.closeAfter(failure);
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(each -> assertThat(each).hasMessage("http"));
        assertThat(calls)
                .containsExactly("start database", "start http", "close console", "close http", "close database");
    }

    @Test
    void a_part_that_fails_to_close_does_not_keep_the_others_open() {
        parts.add(new Recorded("database", false, false));
        parts.add(new Recorded("audit", false, true));
        parts.add(new Recorded("http", false, true));

        assertThatThrownBy(parts::close)
                .hasMessage("http")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .satisfies(each -> assertThat(each).hasMessage("audit")));
        assertThat(calls).containsExactly("close http", "close audit", "close database");
    }

    @Test
    void parts_close_once() {
        parts.add(new Recorded("database", false, false));
        parts.close();
        parts.close();

        assertThat(calls).containsExactly("close database");
    }

    private final class Recorded implements Part {
        private final String name;
        private final boolean failsToStart;
        private final boolean failsToClose;

        Recorded(String name, boolean failsToStart, boolean failsToClose) {
            this.name = name;
            this.failsToStart = failsToStart;
            this.failsToClose = failsToClose;
        }

        @Override
        public void start() throws IOException {
            calls.add("start " + name);
            if (failsToStart) {
                throw new IOException(name);
            }
        }

        @Override
        public void close() {
            calls.add("close " + name);
            if (failsToClose) {
                throw new IllegalStateException(name);
            }
        }
    }
}
