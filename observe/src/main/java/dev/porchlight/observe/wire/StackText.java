// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A throwable in the format of {@code printStackTrace}, with causes and suppressed exceptions, but bounded: at most
 * {@value #MAX_FRAMES} frames, {@value #MAX_THROWABLES} throwables and {@value #MAX_LENGTH} characters. Not
 * thread-safe.
 */
public final class StackText {
    public static final int MAX_FRAMES = 100;
    public static final int MAX_THROWABLES = 50;
    public static final int MAX_LENGTH = 32 * 1024;
    private static final int MAX_MESSAGE = 4 * 1024;
    private static final StackTraceElement[] NO_FRAMES = {};

    private final StringBuilder text = new StringBuilder(4096);
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final boolean oneLineMessages;
    private final String type;
    private final @Nullable String message;
    private int frames;
    private long hash = 0xcbf29ce484222325L;

    private StackText(Throwable thrown, boolean oneLineMessages) {
        this.oneLineMessages = oneLineMessages;
        type = thrown.getClass().getName();
        message = messageOf(thrown);
        try {
            render(thrown, NO_FRAMES, "", "", false);
        } catch (Throwable failure) { // an overridden method of a throwable may do anything
            text.append(errorText(failure));
        }
    }

    private static @Nullable String messageOf(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable failure) {
            return errorText(failure);
        }
    }

    /** Returns the text that replaces a value whose own code failed. */
    public static String errorText(Throwable failure) {
        return "!error: " + failure.getClass().getName();
    }

    public static StackText of(Throwable thrown) {
        return new StackText(thrown, false);
    }

    /** Renders text that is not escaped afterwards: line breaks in messages are replaced. */
    public static StackText ofOneLineMessages(Throwable thrown) {
        return new StackText(thrown, true);
    }

    public String type() {
        return type;
    }

    public @Nullable String message() {
        return message;
    }

    public String text() {
        return text.toString();
    }

    /** Returns the number of printed frames. */
    public int frames() {
        return frames;
    }

    /**
     * Returns a hash that is equal for throwables with the same stack: it covers types, classes and methods, but no
     * messages, line numbers or digits.
     */
    public long hash() {
        return hash;
    }

    private void render(
            Throwable thrown, StackTraceElement[] enclosing, String indent, String caption, boolean othersFollow) {
        text.append(indent).append(caption);
        if (seen.size() == MAX_THROWABLES || text.length() >= MAX_LENGTH) {
            text.append("… further throwables omitted\n");
            return;
        }
        header(thrown);
        if (!seen.add(thrown)) {
            text.append(" [cycle]\n");
            return;
        }
        text.append('\n');
        mix(thrown.getClass().getName());
        StackTraceElement[] trace = thrown.getStackTrace();
        Throwable cause = thrown.getCause();
        Throwable[] suppressed = thrown.getSuppressed();
        frames(trace, enclosing, indent, othersFollow || cause != null || suppressed.length > 0);
        for (Throwable one : suppressed) {
            render(one, trace, indent + "\t", "Suppressed: ", othersFollow || cause != null);
        }
        if (cause != null) {
            render(cause, trace, indent, "Caused by: ", othersFollow);
        }
    }

    private void header(Throwable thrown) {
        String line;
        try {
            line = String.valueOf((Object) thrown.toString());
        } catch (Throwable failure) {
            line = thrown.getClass().getName() + ": " + errorText(failure);
        }
        int end = Truncation.before(line, Math.min(line.length(), MAX_MESSAGE));
        String shown = end == line.length() ? line : line.substring(0, end) + Truncation.mark(line.length() - end);
        text.append(oneLineMessages ? shown.replace("\r", "\\r").replace("\n", "\\n") : shown);
    }

    /** Prints the frames not shared with the enclosing throwable, and leaves half of the space to the throwables that follow. */
    private void frames(StackTraceElement[] trace, StackTraceElement[] enclosing, String indent, boolean othersFollow) {
        int own = trace.length;
        for (int outer = enclosing.length; own > 0 && outer > 0; own--, outer--) {
            if (!trace[own - 1].equals(enclosing[outer - 1])) {
                break;
            }
        }
        int left = MAX_FRAMES - frames;
        int most = Math.min(own, othersFollow ? (left + 1) / 2 : left);
        int shown = 0;
        while (shown < most && text.length() < MAX_LENGTH) {
            StackTraceElement frame = trace[shown++];
            text.append(indent).append("\tat ").append(frame).append('\n');
            mix(frame.getClassName());
            mix(frame.getMethodName());
        }
        frames += shown;
        if (shown < trace.length) {
            text.append(indent).append("\t... ").append(trace.length - shown).append(" more\n");
        }
    }

    /** FNV-1a over everything but digits, because the numbers of generated classes and lambdas vary between runs. */
    private void mix(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') {
                hash = (hash ^ c) * 0x100000001b3L;
            }
        }
    }
}
