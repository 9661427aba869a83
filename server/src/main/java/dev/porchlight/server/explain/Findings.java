// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.StepObserver;
import dev.porchlight.server.explain.Finding.State;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gathers what becomes of each step. What was first found of one stays, so that it may be judged again. For one thread. */
final class Findings implements StepObserver {
    /** Something that is read from what was received. */
    @FunctionalInterface
    interface Reading<T> {
        T read() throws MalformedException;
    }

    private record Found(State state, String detail) {}

    private static final Found NOT_REACHED = new Found(State.NOT_REACHED, "");

    private final Map<Step, Found> found = new EnumMap<>(Step.class);
    private final Map<Step, String> unchecked = new EnumMap<>(Step.class);

    /** From now on the step passes without meaning anything. */
    void leaveOut(Step step, String why) {
        unchecked.put(step, why);
    }

    /** The step passes if this can be read; null if not. */
    <T> @Nullable T read(Step step, Reading<T> reading) {
        try {
            T value = reading.read();
            passed(step, 0);
            return value;
        } catch (MalformedException e) {
            refused(step, String.valueOf(e.getMessage()));
            return null;
        }
    }

    void check(Step step, @Nullable String fault) {
        if (fault == null) {
            passed(step, 0);
        } else {
            refused(step, fault);
        }
    }

    @Override
    public void passed(Step step, long nanos) {
        String why = unchecked.get(step);
        found.putIfAbsent(step, new Found(why == null ? State.PASSED : State.NOT_CHECKED, why == null ? "" : why));
    }

    @Override
    public void signatureVerified(long nanos) {
        // Its step says what came out.
    }

    /** The step refused; false if it had done so before. A step that is judged twice may have passed the first time. */
    boolean refused(Step step, String detail) {
        Found before = found.put(step, new Found(State.REFUSED, detail));
        return before == null || before.state() != State.REFUSED;
    }

    /** The step refused when the service judged it, whatever has come of it now. */
    void refusedThen(Refusal refusal) {
        Found now = found.get(refusal.step());
        boolean passes = now != null && now.state() == State.PASSED;
        found.put(
                refusal.step(),
                new Found(State.REFUSED, refusal.detail() + (passes ? "; judged again now, it passes" : "")));
    }

    /** Every step of the order, those that were not reached too. */
    List<Finding> list(List<Step> order, Comparisons compared) {
        return order.stream()
                .map(step -> {
                    Found one = found.getOrDefault(step, NOT_REACHED);
                    return new Finding(step, one.state(), one.detail(), compared.of(step));
                })
                .toList();
    }
}
