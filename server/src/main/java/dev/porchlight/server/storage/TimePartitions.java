// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a PostgreSQL table. They are created ahead of time and dropped as a whole. Rows without a matching
 * partition are in the default partition, so an insert always succeeds. Several instances may run this concurrently. Not
 * thread-safe.
 *
 * <p>Lock timeouts are short, because logins queue behind a waiting exclusive lock. Work that cannot be done now is left to
 * the next run.
 */
final class TimePartitions {
    static final String DEFAULT = "default";

    private static final String SHORT_LOCKS = "SET LOCAL lock_timeout = 200";
    private static final String LIST = "SELECT format('%I.%I', nspname, relname), pg_get_expr(relpartbound, c.oid),"
            + " pg_relation_size(c.oid) FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid"
            + " JOIN pg_namespace n ON n.oid = relnamespace WHERE inhparent = to_regclass(?)";
    private static final Pattern RANGE = Pattern.compile("FROM \\((?:MINVALUE|'(-?[0-9]+)')\\) TO \\('(-?[0-9]+)'\\)");

    /** Creating a partition makes PostgreSQL scan the default partition, which blocks inserts there. */
    private static final long LARGE_DEFAULT = 16L << 20;

    /** A lock or statement timeout, a table that another instance created, or rows in the default partition. */
    private static final Set<String> NOT_NOW = Set.of("55P03", "57014", "42P07", "23514", "40P01");

    private static final String ROWS_IN_DEFAULT = "23514";

    private record Partition(String name, long from, long to, boolean isDefault, long bytes) {
        boolean overlaps(long begin, long end) {
            return !isDefault && from < end && to > begin;
        }
    }

    private final Sql sql;
    private final PartitionedTable table;
    /** Ranges that already have rows in the default partition. */
    private final Set<Long> skipped = new HashSet<>();

    TimePartitions(Sql sql, PartitionedTable table) {
        this.sql = sql;
        this.table = table;
    }

    /** Returns the table if it is partitioned, otherwise null. */
    @Nullable
    TableState state() {
        TableState state = TableState.read(sql, table);
        return state != null && state.partitioned() ? state : null;
    }

    void createAhead(TableState state, long now) {
        List<Partition> partitions = list();
        if (partitions.stream().anyMatch(each -> each.isDefault() && each.bytes() > LARGE_DEFAULT)) {
            return;
        }
        long end = now + table.ahead.toMillis();
        long begin = table.width.begin(now);
        skipped.removeIf(each -> each < table.width.begin(now));
        while (begin < end) {
            long from = begin;
            long to = table.width.next(begin);
            if (!skipped.contains(from) && partitions.stream().noneMatch(each -> each.overlaps(from, to))) {
                create(state, from, to);
            }
            begin = to;
        }
    }

    /** The partitions whose rows are all older than this time. */
    List<String> before(long time) {
        return list().stream()
                .filter(each -> !each.isDefault() && each.to() <= time)
                .map(Partition::name)
                .toList();
    }

    /** Drops a partition after another change in the same transaction, and returns whether it did. */
    boolean drop(TableState state, String partition, Change first) {
        boolean[] dropped = {false};
        String failure = attempt("drop a partition", connection -> {
            Sql.update(connection, "LOCK TABLE ONLY " + state.name() + " IN SHARE UPDATE EXCLUSIVE MODE");
            String found = Sql.first(Sql.query(
                    connection, "SELECT to_regclass(?)::text", row -> String.valueOf(row.getString(1)), partition));
            dropped[0] = !"null".equals(found); // otherwise another instance dropped it
            if (dropped[0]) {
                first.run(connection);
                Sql.update(connection, "DROP TABLE " + partition);
            }
        });
        return failure == null && dropped[0];
    }

    private void create(TableState state, long from, long to) {
        String name = state.partition(table, table.width.name(from));
        String failure = attempt("create a partition", connection -> {
            // one instance at a time; reads and writes continue
            Sql.update(connection, "LOCK TABLE ONLY " + state.name() + " IN SHARE UPDATE EXCLUSIVE MODE");
            Sql.update(
                    connection,
                    "CREATE TABLE " + name + " (LIKE " + state.name() + " INCLUDING ALL" + table.partitionKey + ")");
            Sql.update(
                    connection,
                    "ALTER TABLE " + state.name() + " ATTACH PARTITION " + name + " FOR VALUES FROM (" + from + ") TO ("
                            + to + ")");
        });
        if (ROWS_IN_DEFAULT.equals(failure)) {
            skipped.add(from);
        }
    }

    @FunctionalInterface
    interface Change {
        void run(Connection connection) throws SQLException;
    }

    /** Returns null on success, or the SQLSTATE of a temporary failure. */
    private @Nullable String attempt(String what, Change change) {
        try {
            var unused = sql.transaction(what, connection -> {
                Sql.update(connection, SHORT_LOCKS);
                change.run(connection);
                return true;
            });
            return null;
        } catch (StorageException e) {
            String state = e.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
            if (state == null || !NOT_NOW.contains(state)) {
                throw e;
            }
            return state;
        }
    }

    private List<Partition> list() {
        return sql.query(LIST, TimePartitions::read, table.table);
    }

    private static Partition read(ResultSet row) throws SQLException {
        String bounds = row.getString(2);
        if (bounds == null) { // another instance is dropping it
            return new Partition(row.getString(1), 0, 0, false, 0);
        }
        Matcher range = RANGE.matcher(bounds);
        if (!range.find()) {
            return new Partition(row.getString(1), Long.MIN_VALUE, Long.MAX_VALUE, true, row.getLong(3));
        }
        long from = range.group(1) == null ? Long.MIN_VALUE : Long.parseLong(range.group(1));
        return new Partition(row.getString(1), from, Long.parseLong(range.group(2)), false, row.getLong(3));
    }
}
