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

/** Who is let in, in which order, and who is refused; by a clock and on threads that are the test's own. */
class AdmissionTest {
    private final List<String> said = new ArrayList<>();
    /** Work that waited, and was handed to a thread that has not come to it yet. */
    private final List<Runnable> handedOver = new ArrayList<>();

    private final List<Runnable> planned = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5;
    private boolean stopping;
    private boolean noMemory;
    private final Admission admission = new Admission(2, this::execute, new Planned(), () -> now);

    @Test
    void those_for_whom_there_is_room_are_worked_on_at_once() {
        admission.enter(true, () -> said.add("one"), () -> said.add("refused"));

        assertThat(said).containsExactly("one");
        assertThat(admission.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void no_more_are_worked_on_than_may_be_and_no_more_wait() {
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
    void whoever_finishes_goes_before_those_who_begin_and_is_let_wait_when_they_may_not() {
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
    void whoever_waited_too_long_is_refused_and_the_others_wait_on() {
        whileTwoWork(() -> {
            enter(true, "early");
            now += Admission.WAIT.toNanos() / 2;
            enter(false, "later");
            now += Admission.WAIT.toNanos() / 2;
            runPlanned();
            assertThat(said).containsExactly("early refused");
            assertThat(planned).as("another look").hasSize(1);

            now += Admission.WAIT.toNanos();
            runPlanned();
            assertThat(said).containsExactly("early refused", "later refused");
            assertThat(planned).as("nobody is left to look at").isEmpty();
        });
        assertThat(admission.refused()).containsEntry("late", 2L);
    }

    @Test
    void one_look_is_planned_for_all_who_wait() {
        whileTwoWork(() -> {
            enter(true, "one");
            enter(true, "two");
            enter(false, "three");
            assertThat(planned).hasSize(1);
        });
    }

    @Test
    void work_that_fails_gives_its_place_back() {
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
    void when_no_thread_can_be_had_any_more_those_who_wait_are_refused() {
        whileTwoWork(() -> {
            enter(true, "one");
            stopping = true;
        });
        assertThat(said).containsExactly("one refused");
        assertThat(admission.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void so_they_are_when_a_thread_cannot_be_made_and_are_not_worked_on_later() {
        whileTwoWork(() -> {
            enter(true, "one");
            noMemory = true;
        });
        runAllHandedOver();

        assertThat(said).containsExactly("one refused");
        assertThat(admission.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void a_refusal_that_fails_keeps_no_other_from_being_told() {
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

    /** The work of the first is that the second comes in, and that of the second what is to be done meanwhile. */
    private void whileTwoWork(Runnable meanwhile) {
        admission.enter(true, () -> admission.enter(true, meanwhile, () -> {}), () -> {});
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
