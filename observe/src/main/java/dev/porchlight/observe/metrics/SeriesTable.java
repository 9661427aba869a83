// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.Truncation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of the series of one metric. Lookups by label values are lock-free and do not allocate.
 *
 * <p>Open addressing with a load factor of at most one half. Elements are published with release and read with acquire;
 * writers take turns. Beyond the limit, new label sets share one series with the label value {@value #OVERFLOW}, so no
 * recording is lost.
 */
final class SeriesTable<S extends Series> {
    static final String OVERFLOW = "__overflow__";

    /** The maximum length of a label value, without the mark of a truncated one. */
    static final int MAX_VALUE = 1024;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Series[].class);
    private static final Comparator<Series> BY_VALUES = (a, b) -> Arrays.compare(a.values, b.values);

    private final Family family;
    private final Function<String[], S> maker;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile Series[] slots = new Series[8];
    private volatile @Nullable List<S> sorted = List.of();
    private volatile @Nullable S overflow;
    private final AtomicBoolean reported = new AtomicBoolean();
    private int size;

    SeriesTable(Family family, Function<String[], S> maker) {
        this.family = family;
        this.maker = maker;
    }

    S find(String a) {
        S found = lookUp(spread(a.hashCode()), a, null, null);
        return found == null ? findOrAdd(a) : found;
    }

    S find(String a, String b) {
        S found = lookUp(spread(31 * a.hashCode() + b.hashCode()), a, b, null);
        return found == null ? findOrAdd(a, b) : found;
    }

    S find(String a, String b, String c) {
        S found = lookUp(spread(31 * (31 * a.hashCode() + b.hashCode()) + c.hashCode()), a, b, c);
        return found == null ? findOrAdd(a, b, c) : found;
    }

    S find(String[] values) {
        S found = lookUp(values, hash(values));
        return found == null ? findOrAdd(values) : found;
    }

    /** Returns all series, ordered by label values. */
    List<S> sorted() {
        List<S> present = sorted;
        return present == null ? sort() : present;
    }

    boolean isOverflow(S series) {
        return series == overflow;
    }

    /** Removes the series that fail the test, and the overflow series. Only for series that callers cannot bind. */
    void keep(Predicate<S> test) {
        writing.lock();
        try {
            List<S> kept = sorted().stream()
                    .filter(series -> test.test(series) && !isOverflow(series))
                    .toList();
            overflow = null; // there may be room for its label sets now
            Series[] table = new Series[Math.max(8, Integer.highestOneBit(Math.max(1, kept.size())) << 2)];
            kept.forEach(series -> place(table, series));
            slots = table;
            size = kept.size();
            sorted = kept;
        } finally {
            writing.unlock();
        }
    }

    static int hash(String[] values) {
        int hash = 0;
        for (String value : values) {
            hash = 31 * hash + value.hashCode();
        }
        return spread(hash);
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9E3779B9;
        return mixed ^ mixed >>> 16;
    }

    private static @Nullable Series at(Series[] table, int index) {
        return (Series) SLOT.getAcquire(table, index & table.length - 1);
    }

    @SuppressWarnings("unchecked") // only what the maker made is ever put into the slots
    private S mine(Series series) {
        return (S) series;
    }

    /** Looks up one to three values without an array; unused ones are null. */
    private @Nullable S lookUp(int hash, String a, @Nullable String b, @Nullable String c) {
        Series[] table = slots;
        for (int i = hash; ; i++) {
            Series found = at(table, i);
            if (found == null) {
                return null;
            }
            if (found.hash == hash
                    && a.equals(found.first)
                    && (b == null || b.equals(found.second))
                    && (c == null || c.equals(found.third))) {
                return mine(found);
            }
        }
    }

    private @Nullable S lookUp(String[] values, int hash) {
        Series[] table = slots;
        for (int i = hash; ; i++) {
            Series found = at(table, i);
            if (found == null) {
                return null;
            }
            if (found.hash == hash && Arrays.equals(found.values, values)) {
                return mine(found);
            }
        }
    }

    private S findOrAdd(String... given) {
        String[] values =
                Arrays.stream(given).map(value -> wellFormed(bounded(value))).toArray(String[]::new);
        int hash = hash(values);
        S found = lookUp(values, hash);
        if (found != null) {
            return found; // the key was too long or had an unpaired surrogate, which the stored one has not
        }
        S shared = overflow;
        if (shared == null) {
            writing.lock();
            try {
                found = lookUp(values, hash);
                if (found != null) {
                    return found;
                }
                if (size < family.settings.seriesLimit()) {
                    return add(values);
                }
                shared = shareOverflow(values.length);
            } finally {
                writing.unlock();
            }
        }
        family.overflowed.increment();
        if (reported.compareAndSet(false, true)) {
            report();
        }
        return shared;
    }

    private S shareOverflow(int labels) {
        String[] values = new String[labels];
        Arrays.fill(values, OVERFLOW);
        S found = lookUp(values, hash(values));
        S shared = found == null ? add(values) : found;
        overflow = shared;
        return shared;
    }

    private S add(String[] values) {
        S made = maker.apply(values);
        Series[] table = slots;
        if (2 * (size + 1) > table.length) {
            Series[] larger = new Series[2 * table.length];
            for (Series series : table) {
                if (series != null) {
                    place(larger, series);
                }
            }
            place(larger, made);
            slots = larger;
        } else {
            place(table, made);
        }
        size++;
        sorted = null;
        return made;
    }

    private static void place(Series[] table, Series series) {
        int i = series.hash;
        while (at(table, i) != null) {
            i++;
        }
        SLOT.setRelease(table, i & table.length - 1, series);
    }

    private List<S> sort() {
        writing.lock();
        try {
            List<S> all = Arrays.stream(slots)
                    .filter(Objects::nonNull)
                    .sorted(BY_VALUES)
                    .map(this::mine)
                    .toList();
            sorted = all;
            return all;
        } finally {
            writing.unlock();
        }
    }

    private void report() {
        List<S> all = sorted();
        int widest = 0;
        int most = 0;
        for (int label = 0; label < family.labelNames.size(); label++) {
            int at = label;
            int distinct = (int) all.stream()
                    .map(series -> series.values[at])
                    .filter(value -> !value.equals(OVERFLOW))
                    .distinct()
                    .count();
            if (distinct > most) {
                widest = label;
                most = distinct;
            }
        }
        SeriesOverflow overflowed =
                new SeriesOverflow(family.name, family.settings.seriesLimit(), family.labelNames.get(widest), most);
        try {
            family.settings.onOverflow().accept(overflowed);
        } catch (RuntimeException e) {
            family.refuse("the overflow listener failed");
        }
    }

    /** Truncates a long value, and counts it: it would be sent whole with every scrape. */
    private String bounded(String value) {
        if (value.length() <= MAX_VALUE) {
            return value;
        }
        family.truncated.increment();
        int end = Truncation.before(value, MAX_VALUE);
        return value.substring(0, end) + Truncation.mark(value.length() - (long) end);
    }

    /** Replaces unpaired surrogates with U+FFFD, as encoding to UTF-8 would. */
    private static String wellFormed(String text) {
        if (text.chars().noneMatch(unit -> Character.isSurrogate((char) unit))) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xfffd : point)
                .forEach(out::appendCodePoint);
        return out.toString();
    }
}
