// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracerRunTest {
    @Test
    void a_task_runs_inside_its_span() {
        List<Span> spans = Tracers.ended(tracer -> tracer.run("outer", Attributes.of("order", 4711), () -> {
            assertThat(Span.current().recording()).isTrue();
            tracer.run("inner", () -> {});
        }));
        assertThat(spans).extracting(Span::name).containsExactly("inner", "outer");
        assertThat(spans.get(0).parent()).isEqualTo(spans.get(1).context());
        assertThat(spans.get(1).endAttributes().toAttributes()).isEqualTo(Attributes.of("order", 4711));
        assertThat(Span.current()).isSameAs(Span.none());
    }

    @Test
    void a_called_task_returns_its_result() {
        List<Span> spans =
                Tracers.ended(tracer -> assertThat(callQuietly(tracer)).isEqualTo("done"));
        assertThat(spans).extracting(Span::name).containsExactly("work");
        assertThat(spans.get(0).endDetails()).isNull();
    }

    @Test
    void a_task_that_throws_ends_its_span_as_failed() {
        List<Span> spans = Tracers.ended(tracer -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> tracer.run("runs", () -> {
                        throw new IllegalStateException("no money");
                    }));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> tracer.call("calls", () -> {
                        throw new IOException("no network");
                    }));
        });
        assertThat(spans).extracting(span -> span.endDetails().status).containsOnly(SpanStatus.ERROR);
        assertThat(spans).extracting(span -> span.endDetails().description).containsExactly("no money", "no network");
        assertThat(Span.current()).isSameAs(Span.none());
    }

    @Test
    void a_span_ends_with_the_block_it_is_opened_in() {
        List<Span> spans = Tracers.ended(tracer -> {
            try (Span span = tracer.start("block")) {
                span.set("order", 4711);
            }
        });
        assertThat(spans).extracting(Span::name).containsExactly("block");
    }

    private static String callQuietly(Tracer tracer) {
        try {
            return tracer.call("work", () -> "done");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
