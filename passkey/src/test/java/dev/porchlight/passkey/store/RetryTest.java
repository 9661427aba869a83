// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.Race;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.support.Patience;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries after database failures. */
class RetryTest {

    /** Tests with a real server. */
    @Nested
    class OnPostgres {
        private final HikariDataSource pool = TestDatabase.POSTGRES.fresh();
        private final List<String> retried = new CopyOnWriteArrayList<>();
        private final Sql sql = new Sql(pool, new Sql.StatementListener() {
            @Override
            public Runnable begin(String statement) {
                return () -> {};
            }

            @Override
            public void retried(String statement, int attempt) {
                retried.add(statement + ", attempt " + attempt);
            }
        });
        private final AtomicInteger attempts = new AtomicInteger();

        OnPostgres() {
            sql.update("CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER)");
            sql.update("INSERT INTO t VALUES (1, 0), (2, 0)");
        }

        @AfterEach
        void close() {
            pool.close();
        }

        @Test
        void two_conflicting_serializable_transactions_both_complete() {
            CyclicBarrier bothHaveRead = new CyclicBarrier(2);
            try (var race = new Race(2)) {
                race.run(() -> sql.transaction("add the sum", connection -> {
                    boolean first = attempts.incrementAndGet() <= 2;
                    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                    int sum = Sql.query(connection, "SELECT SUM(x + 1) FROM t", row -> row.getInt(1))
                            .get(0);
                    if (first) {
                        await(bothHaveRead);
                    }
                    return Sql.update(connection, "INSERT INTO t VALUES (?, ?)", sum + 10, sum);
                }));
            }
            assertThat(attempts).as("one of them twice").hasValue(3);
            assertThat(retried).containsExactly("add the sum, attempt 2");
            assertThat(sql.query("SELECT x FROM t WHERE id > 10 ORDER BY id", row -> row.getInt(1)))
                    .as("the second saw the first")
                    .containsExactly(2, 5);
        }

        @Test
        void two_deadlocked_transactions_both_complete() {
            CyclicBarrier bothHaveLocked = new CyclicBarrier(2);
            Iterator<List<Integer>> orders =
                    List.of(List.of(1, 2), List.of(2, 1)).iterator();
            try (var race = new Race(2)) {
                race.run(() -> {
                    List<Integer> order;
                    synchronized (orders) {
                        order = orders.next();
                    }
                    return sql.transaction("add one to both", connection -> {
                        boolean first = attempts.incrementAndGet() <= 2;
                        Sql.update(connection, "UPDATE t SET x = x + 1 WHERE id = ?", order.get(0));
                        if (first) {
                            await(bothHaveLocked);
                        }
                        return Sql.update(connection, "UPDATE t SET x = x + 1 WHERE id = ?", order.get(1));
                    });
                });
            }
            assertThat(attempts)
                    .as("the retry can meet the same deadlock again")
                    .hasValueBetween(3, 8);
            assertThat(sum()).isEqualTo(4);
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void a_conflicting_statement_runs_once(boolean autoCommit) {
            try (HikariDataSource strict = new HikariDataSource();
                    var race = new Race(4)) {
                strict.setJdbcUrl(pool.getJdbcUrl());
                strict.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
                strict.setAutoCommit(autoCommit);
                for (int round = 0; round < 10; round++) {
                    race.run((Callable<Integer>) () -> new Sql(strict).update("UPDATE t SET x = x + 1 WHERE id = 1"));
                }
            }
            assertThat(sum()).isEqualTo(40);
        }

        @Test
        void a_read_is_retried_after_a_lost_connection() throws Exception {
            assertThat(duringWhichTheConnectionEnds(() -> (int) sum())).isZero();
        }

        @ParameterizedTest
        @ValueSource(strings = {"UPDATE t SET x = x + 1 RETURNING x", "INSERT INTO t VALUES (3, 3) RETURNING x"})
        void a_write_is_not_retried_after_a_lost_connection(String write) {
            assertThatThrownBy(() -> duringWhichTheConnectionEnds(
                            () -> sql.query(write, row -> row.getInt(1)).get(0)))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(StorageException.class);
            assertThat(sum()).isZero();
        }

        @Test
        void a_transaction_is_not_retried_after_a_lost_connection() {
            assertThatThrownBy(() -> duringWhichTheConnectionEnds(() -> sql.transaction("add", connection -> {
                        attempts.incrementAndGet();
                        return Sql.update(connection, "UPDATE t SET x = x + 1");
                    })))
                    .isInstanceOf(ExecutionException.class);
            assertThat(attempts).hasValue(1);
            assertThat(sum()).isZero();
        }

        /** Runs an action that waits for a lock, terminates its connection, and releases the lock. */
        private int duringWhichTheConnectionEnds(Callable<Integer> work) throws Exception {
            CompletableFuture<Integer> done = new CompletableFuture<>();
            try (Connection blocker = pool.getConnection()) {
                blocker.setAutoCommit(false);
                blocker.createStatement().execute("LOCK TABLE t");
                Thread worker = new Thread(() -> {
                    try {
                        done.complete(work.call());
                    } catch (Exception e) {
                        done.completeExceptionally(e);
                    }
                });
                worker.start();
                List<Boolean> ended = Collections.emptyList();
                while (ended.isEmpty()) {
                    ended = sql.query(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                    + " WHERE wait_event_type = 'Lock' AND datname = current_database()",
                            row -> row.getBoolean(1));
                }
                assertThat(ended).containsExactly(true);
                blocker.rollback();
            }
            return done.get(Patience.SECONDS, TimeUnit.SECONDS);
        }

        private long sum() {
            return sql.query("SELECT SUM(x) FROM t", row -> row.getLong(1)).get(0);
        }

        private void await(CyclicBarrier barrier) {
            try {
                barrier.await(Patience.SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Tests with a reader that simulates failures. */
    @Nested
    class Bounds {
        private final HikariDataSource pool = TestDatabase.SQLITE.fresh();
        private final AtomicInteger attempts = new AtomicInteger();

        @AfterEach
        void close() {
            pool.close();
        }

        @ParameterizedTest
        @ValueSource(strings = {"40001", "40P01", "08006", "57P01", "57P02"})
        void retries_are_limited(String state) {
            assertFails(new SQLException("not now", state));
            assertThat(attempts).hasValue(8);
        }

        @ParameterizedTest
        @ValueSource(strings = {"23505", "40003", "57014", "53100", "25006"})
        void other_failures_are_not_retried(String state) {
            assertFails(new SQLException("no", state));
            assertThat(attempts).hasValue(1);
        }

        @Test
        void a_timeout_is_not_retried() {
            assertFails(new SQLException("no response", "08006", new SocketTimeoutException()));
            assertThat(attempts).hasValue(1);
        }

        @Test
        void an_interrupted_thread_does_not_retry() {
            Thread.currentThread().interrupt();
            assertFails(new SQLException("not now", "40001"));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(attempts).hasValue(1);
        }

        private void assertFails(SQLException failure) {
            assertThatThrownBy(() -> new Sql(pool).query("SELECT 1", row -> {
                        attempts.incrementAndGet();
                        throw failure;
                    }))
                    .isInstanceOf(StorageException.class);
        }
    }
}
