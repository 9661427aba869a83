// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ScopeTest {
    private final Span outer = span(1);
    private final Span inner = span(2);

    @Test
    void a_scope_makes_its_span_current_and_restores_the_previous_one() {
        assertThat(Span.current()).isSameAs(Span.none());
        try (Scope first = outer.makeCurrent()) {
            assertThat(first).isNotNull();
            assertThat(Span.current()).isSameAs(outer);
            try (Scope second = inner.makeCurrent()) {
                assertThat(second).isNotNull();
                assertThat(Span.current()).isSameAs(inner);
            }
            assertThat(Span.current()).isSameAs(outer);
        }
        assertThat(Span.current()).isSameAs(Span.none());
    }

    @Test
    void closing_twice_out_of_order_or_on_another_thread_has_no_effect() throws Exception {
        Scope first = outer.makeCurrent();
        Scope second = inner.makeCurrent();
        first.close();
        assertThat(Span.current()).isSameAs(inner);
        Thread elsewhere = new Thread(second::close);
        elsewhere.start();
        elsewhere.join();
        assertThat(Span.current()).isSameAs(inner);
        second.close();
        second.close();
        assertThat(Span.current()).isSameAs(outer);
        first.close();
        assertThat(Span.current()).isSameAs(Span.none());
    }

    @Test
    void a_scope_is_invisible_to_other_threads() throws Exception {
        AtomicReference<Span> seen = new AtomicReference<>();
        try (Scope scope = outer.makeCurrent()) {
            assertThat(scope).isNotNull();
            Thread thread = new Thread(() -> seen.set(Span.current()));
            thread.start();
            thread.join();
        }
        assertThat(seen.get()).isSameAs(Span.none());
    }

    @Test
    void scopes_work_on_virtual_threads() throws Exception {
        boolean virtual = Runtime.version().feature() >= 21;
        if (!virtual) {
            System.err.println("Skipped: virtual threads require JDK 21");
        }
        assumeTrue(virtual, "virtual threads require JDK 21");
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            Span own = span(i);
            Runnable work = () -> {
                try (Scope scope = own.makeCurrent()) {
                    assertThat(scope).isNotNull();
                    Thread.sleep(5); // may move to another carrier
                    assertThat(Span.current()).isSameAs(own);
                } catch (Throwable e) {
                    failures.add(e);
                }
            };
            threads.add((Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    private static Span span(int id) {
        return new Span(new SpanContext(1, 1, id, 0, "", false));
    }
}
