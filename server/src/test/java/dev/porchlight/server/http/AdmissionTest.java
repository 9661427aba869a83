// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.Test;

/** Order of admission and refusals, with a clock and threads that the test controls. */
class AdmissionTest {
    private final List<String> said = new ArrayList<>();
    /** Work that waited and was passed to a thread that has not run it yet. */
    private final List<Runnable> handedOver = new ArrayList<>();

    private final List<Runnable> planned = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5;
    private boolean stopping;
    private boolean noMemory;
    private final Admission admission = new Admission(2, this::execute, new Planned(), () -> now);

    @Test
    void requests_within_the_limit_run_at_once() {
        admission.enter(true, () -> said.add("one"), () -> said.add("refused"));

        assertThat(said).containsExactly("one");
        assertThat(admission.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void requests_beyond_the_queue_are_refused() {
        whileTwoWork(() -> {
            for (int i = 0; i < 6; i++) {
                enter(true, "begin " + i);
            }
            assertThat(admission.load()).containsEntry("working", 2).containsEntry("waiting", 4);
            assertThat(said).containsExactly("begin 4 refused", "begin 5 refused");
        });
        assertThat(admission.refused()).containsEntry("full", 2L).containsEntry("late", 0L);
    }

    @Test
    void finishing_requests_run_before_beginning_ones_and_have_their_own_queue() {
        whileTwoWork(() -> {
            for (int i = 0; i < 5; i++) {
                enter(true, "begin " + i);
            }
            enter(false, "finish");
        });
        runAllHandedOver();

        assertThat(said).containsExactly("begin 4 refused", "finish", "begin 0", "begin 1", "begin 2", "begin 3");
        assertThat(admission.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void an_expired_request_is_refused_and_the_others_keep_waiting() {
        whileTwoWork(() -> {
            enter(true, "early");
            now += Admission.WAIT.toNanos() / 2;
            enter(false, "later");
            now += Admission.WAIT.toNanos() / 2;
            runPlanned();
            assertThat(said).containsExactly("early refused");
            assertThat(planned).as("another check").hasSize(1);

            now += Admission.WAIT.toNanos();
            runPlanned();
            assertThat(said).containsExactly("early refused", "later refused");
            assertThat(planned).as("no request is waiting").isEmpty();
        });
        assertThat(admission.refused()).containsEntry("late", 2L);
    }

    @Test
    void one_check_is_scheduled_for_all_waiting_requests() {
        whileTwoWork(() -> {
            enter(true, "one");
            enter(true, "two");
            enter(false, "three");
            assertThat(planned).hasSize(1);
        });
    }

    @Test
    void failed_work_releases_its_slot() {
        try {
            admission.enter(
                    true,
                    () -> {
                        throw new IllegalStateException("broken");
                    },
                    () -> {});
        } catch (IllegalStateException expected) {
            said.add(expected.getMessage());
        }
        assertThat(said).containsExactly("broken");
        assertThat(admission.load()).containsEntry("working", 0);
    }

    @Test
    void waiting_requests_are_refused_when_no_thread_is_available() {
        whileTwoWork(() -> {
            enter(true, "one");
            stopping = true;
        });
        assertThat(said).containsExactly("one refused");
        assertThat(admission.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void waiting_requests_are_refused_only_once_when_a_thread_cannot_be_created() {
        whileTwoWork(() -> {
            enter(true, "one");
            noMemory = true;
        });
        runAllHandedOver();

        assertThat(said).containsExactly("one refused");
        assertThat(admission.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void a_failed_refusal_does_not_prevent_other_refusals() {
        whileTwoWork(() -> {
            admission.enter(true, () -> {}, () -> {
                throw new IllegalStateException("broken");
            });
            enter(true, "other");
            now += Admission.WAIT.toNanos();
            runPlanned();
            assertThat(said).containsExactly("other refused");
        });
    }

    private void enter(boolean begins, String name) {
        admission.enter(begins, () -> said.add(name), () -> said.add(name + " refused"));
    }

    /** Occupies both slots: the first request's work admits the second, whose work runs the action. */
    private void whileTwoWork(Runnable action) {
        admission.enter(true, () -> admission.enter(true, action, () -> {}), () -> {});
    }

    private void runAllHandedOver() {
        while (!handedOver.isEmpty()) {
            handedOver.remove(0).run();
        }
    }

    private void runPlanned() {
        List<Runnable> due = List.copyOf(planned);
        planned.clear();
        due.forEach(Runnable::run);
    }

    private void execute(Runnable work) {
        if (stopping) {
            throw new RejectedExecutionException();
        }
        handedOver.add(work);
        if (noMemory) {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    private final class Planned extends AbstractLifeCycle implements Scheduler {
        @Override
        public Task schedule(Runnable task, long delay, TimeUnit unit) {
            planned.add(task);
            return () -> planned.remove(task);
        }
    }
}
