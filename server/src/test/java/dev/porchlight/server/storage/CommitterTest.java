// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.support.Patience;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

@Tag("slow")
class CommitterTest {
    private static final String ADD = "INSERT INTO t (id, n) VALUES (?, 0)";
    private static final String COUNT = "UPDATE t SET n = n + 1 WHERE id = ?";

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private String jdbc;
    private Database database;
    private Sql sql;

    @BeforeEach
    void open() {
        jdbc = "jdbc:sqlite:" + directory.resolve("test.db");
        database = TestDatabase.open(jdbc, 1);
        sql = database.sql();
        sql.update("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL CHECK (n < 1000000))");
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        database.close();
    }

    @Test
    void writes_of_64_threads_are_stored_once_and_visible() throws Exception {
        List<Future<Void>> all = new ArrayList<>();
        sql.update(ADD, 0);
        for (int thread = 1; thread <= 64; thread++) {
            int id = thread;
            all.add(threads.submit(() -> {
                sql.update(ADD, id);
                for (int i = 1; i <= 20; i++) {
                    assertThat(sql.update(COUNT, id)).isOne();
                    assertThat(number(sql, id))
                            .as("a committed write is visible")
                            .isEqualTo(i);
                    sql.update(COUNT, 0);
                    assertThat(sql.<Long>query(COUNT + " RETURNING n", row -> row.getLong(1), 0))
                            .hasSize(1);
                }
                return null;
            }));
        }
        for (Future<Void> one : all) {
            one.get();
        }
        try (Database another = TestDatabase.open(jdbc, 1)) {
            assertThat(number(another.sql(), 0)).isEqualTo(64 * 40);
            assertThat(number(another.sql(), 64)).isEqualTo(20);
        }
    }

    @Test
    void a_failed_write_does_not_affect_others() throws Exception {
        List<Callable<Integer>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int id = i;
            writes.add(() -> sql.update(ADD, id));
            writes.add(() -> sql.update("INSERT INTO t (id, n) VALUES (?, 1000000)", 100 + id));
        }
        List<Future<Integer>> all = together(writes);

        for (int i = 0; i < 20; i++) {
            assertThat(all.get(2 * i).get()).isOne();
            Future<Integer> failing = all.get(2 * i + 1);
            assertThatThrownBy(failing::get)
                    .hasCauseInstanceOf(StorageException.class)
                    .hasStackTraceContaining("CHECK constraint failed");
        }
        assertThat(count()).isEqualTo(20);
    }

    @Test
    void a_transaction_among_writes_is_all_or_nothing() throws Exception {
        List<Future<Integer>> all = together(List.of(
                () -> sql.update(ADD, 1),
                () -> sql.transaction(
                        "two", connection -> Sql.update(connection, ADD, 2) + Sql.update(connection, ADD, 3)),
                () -> sql.transaction("one and a fault", connection -> {
                    Sql.update(connection, ADD, 4);
                    throw new IllegalStateException("thought better of it");
                }),
                () -> sql.update(ADD, 5)));

        assertThat(all.get(1).get()).isEqualTo(2);
        assertThatThrownBy(all.get(2)::get).hasStackTraceContaining("thought better of it");
        assertThat(all.get(3).get()).isOne();
        assertThat(sql.<Long>query("SELECT id FROM t ORDER BY id", row -> row.getLong(1)))
                .containsExactly(1L, 2L, 3L, 5L);
    }

    @Test
    void a_write_whose_commit_fails_is_reported_as_failed() throws Exception {
        sql.update("CREATE TABLE child (id INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)");
        // Deferred to the commit: the statement itself succeeds.
        assertThatThrownBy(() -> sql.update("INSERT INTO child VALUES (?)", 77)).isInstanceOf(StorageException.class);
        List<Future<Integer>> all =
                together(List.of(() -> sql.update("INSERT INTO child VALUES (?)", 78), () -> sql.update(ADD, 1)));
        assertThatThrownBy(all.get(0)::get).hasStackTraceContaining("FOREIGN KEY constraint failed");
        assertThat(all.get(1).get()).isOne();
        assertThat(sql.<Long>query("SELECT COUNT(*) FROM child", row -> row.getLong(1)))
                .containsExactly(0L);
    }

    @Test
    void a_full_disk_fails_waiting_writes_and_loses_no_later_write() throws Exception {
        sql.update("CREATE TABLE big (x BLOB)");
        long pages = sql.<Long>query("SELECT page_count FROM pragma_page_count", row -> row.getLong(1))
                .get(0);
        sql.transaction(
                "no more room",
                connection -> Sql.query(connection, "PRAGMA max_page_count = " + (pages + 2), row -> row.getLong(1)));

        List<Callable<Integer>> writes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            writes.add(() -> sql.update("INSERT INTO big VALUES (zeroblob(100000))"));
        }
        for (Future<Integer> one : together(writes)) {
            assertThatThrownBy(one::get).hasStackTraceContaining("SQLITE_FULL");
        }
        sql.transaction(
                "room", connection -> Sql.query(connection, "PRAGMA max_page_count = 100000", row -> row.getLong(1)));
        assertThat(sql.update("INSERT INTO big VALUES (zeroblob(100000))")).isOne();
        assertThat(sql.<Long>query("SELECT COUNT(*) FROM big", row -> row.getLong(1)))
                .containsExactly(1L);
    }

    @Test
    void reads_do_not_wait_for_a_writer_and_see_only_committed_data() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<Integer> slow = threads.submit(() -> sql.transaction("slow", connection -> {
            int rows = Sql.update(connection, ADD, 1);
            written.countDown();
            await(goOn);
            return rows;
        }));
        written.await();
        assertThat(count()).isZero();
        goOn.countDown();
        assertThat(slow.get()).isOne();
        assertThat(count()).isOne();
    }

    @Test
    void a_write_that_times_out_in_the_queue_writes_nothing() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Committer impatient =
                new Committer(database.dataSource(), connection -> {}, Duration.ofSeconds(2), new SqliteWriter())) {
            Future<Integer> slow = threads.submit(() -> impatient.write(connection -> {
                begun.countDown();
                await(goOn);
                return 1;
            }));
            begun.await();
            assertThatThrownBy(() -> impatient.write(connection -> Sql.update(connection, ADD, 1)))
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("nothing was written");
            assertThatThrownBy(slow::get).hasStackTraceContaining("the result of the write is unknown");
            goOn.countDown();
        }
        assertThat(count()).isZero();
    }

    @Test
    void a_request_that_has_waited_for_one_write_does_not_wait_for_the_next() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<Integer> slow = threads.submit(() -> sql.transaction("slow", connection -> {
            begun.countDown();
            await(goOn);
            return 1;
        }));
        begun.await();
        RequestDeadline.begin(RequestDeadline.DEFAULT);
        try {
            assertThatThrownBy(() -> sql.update(ADD, 1)).hasStackTraceContaining("nothing was written");
            assertThatThrownBy(() -> sql.update(ADD, 2)).hasRootCauseMessage("the request deadline is exceeded");
        } finally {
            RequestDeadline.end();
            goOn.countDown();
        }
        assertThat(slow.get()).isOne();
        assertThat(sql.update(ADD, 3)).isOne();
    }

    @Test
    void a_pool_failure_fails_one_write_only() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        SQLiteDataSource pool = new SQLiteDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                if (broken.getAndSet(false)) {
                    throw new NoClassDefFoundError("out of file descriptors");
                }
                return super.getConnection();
            }
        };
        pool.setUrl(jdbc);
        try (Committer writes = new Committer(pool, connection -> {}, Patience.LIMIT, new SqliteWriter())) {
            assertThatThrownBy(() -> writes.write(connection -> Sql.update(connection, ADD, 1)))
                    .isInstanceOf(NoClassDefFoundError.class);
            int rows = writes.write(connection -> Sql.update(connection, ADD, 2));
            assertThat(rows).isOne();
        }
    }

    @Test
    void the_writer_keeps_its_connection_until_a_read_fails() throws Exception {
        SQLiteDataSource pool = new SQLiteDataSource();
        pool.setUrl(jdbc);
        List<Connection> discarded = new CopyOnWriteArrayList<>();
        try (Committer writes = new Committer(pool, discarded::add, Patience.LIMIT, new SqliteWriter())) {
            writes.write(connection -> Sql.update(connection, "CREATE TEMP TABLE of_this_connection (x INTEGER)"));
            String note = "INSERT INTO of_this_connection VALUES (1)";
            writes.write(connection -> Sql.update(connection, note));
            assertThat(discarded).isEmpty();

            assertThatThrownBy(() -> writes.read(connection -> Sql.query(connection, "SELECT nothing", row -> 1)))
                    .isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> writes.write(connection -> Sql.update(connection, note)))
                    .hasMessageContaining("no such table");
            assertThat(discarded).hasSize(1);
        }
    }

    @Test
    void a_write_beyond_the_queue_is_refused_at_once() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Committer patient =
                new Committer(database.dataSource(), connection -> {}, Patience.LIMIT, new SqliteWriter())) {
            Future<Integer> slow = threads.submit(() -> patient.write(connection -> {
                begun.countDown();
                await(goOn);
                return 1;
            }));
            begun.await();
            List<Future<Integer>> waiting = new ArrayList<>();
            for (int i = 0; i <= Committer.QUEUE; i++) {
                waiting.add(threads.submit(() -> patient.write(connection -> 2)));
            }
            Awaitility.await().until(() -> waiting.stream().anyMatch(Future::isDone));
            goOn.countDown();

            assertThat(slow.get()).isOne();
            int refused = 0;
            for (Future<Integer> one : waiting) {
                try {
                    assertThat(one.get()).isEqualTo(2);
                } catch (ExecutionException e) {
                    assertThat(e).hasStackTraceContaining("the write queue is full");
                    refused++;
                }
            }
            assertThat(refused).isOne();
        }
    }

    @Test
    void closing_writes_queued_units_and_refuses_later_ones() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<Integer> slow = threads.submit(() -> sql.transaction("slow", connection -> {
            begun.countDown();
            await(goOn);
            return Sql.update(connection, ADD, 1);
        }));
        begun.await();
        FutureTask<Integer> waiting = new FutureTask<>(() -> sql.update(ADD, 2));
        Thread queued = new Thread(waiting);
        queued.start();
        Awaitility.await().until(() -> queued.getState() == Thread.State.TIMED_WAITING);
        Future<?> closing = threads.submit(database::close);
        Awaitility.await()
                .untilAsserted(
                        () -> assertThatThrownBy(() -> sql.update(ADD, 3)).hasStackTraceContaining("being closed"));
        goOn.countDown();
        closing.get();

        assertThat(slow.get()).isOne();
        assertThat(waiting.get()).isOne();
        try (Database again = TestDatabase.open(jdbc, 1)) {
            assertThat(again.sql().<Long>query("SELECT id FROM t ORDER BY id", row -> row.getLong(1)))
                    .containsExactly(1L, 2L);
        }
    }

    @Test
    void a_write_waits_for_a_writer_of_another_process() throws Exception {
        try (Connection other = DriverManager.getConnection(jdbc)) {
            other.setAutoCommit(false);
            Sql.update(other, ADD, 1);
            Future<Integer> waiting = threads.submit(() -> sql.update(ADD, 2));
            Thread.sleep(100); // longer than a write needs
            assertThat(waiting.isDone()).isFalse();
            other.commit();
            assertThat(waiting.get()).isOne();
        }
    }

    /** Runs all writes behind one that blocks the writer until they are queued, so that they share a commit. */
    private List<Future<Integer>> together(List<Callable<Integer>> writes) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<Boolean> first = threads.submit(() -> sql.transaction("first", connection -> {
            begun.countDown();
            await(goOn);
            return Sql.query(connection, "SELECT 1", row -> row.getInt(1)).size() == 1;
        }));
        begun.await();
        List<Future<Integer>> all = new ArrayList<>();
        for (Callable<Integer> write : writes) {
            all.add(threads.submit(write));
        }
        Awaitility.await().until(() -> callers() == 1 + writes.size());
        goOn.countDown();
        assertThat(first.get()).isTrue();
        for (Future<Integer> one : all) {
            Awaitility.await().until(one::isDone);
        }
        return all;
    }

    /** The number of threads that wait for a commit. */
    private static long callers() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Stream.of(stack)
                        .anyMatch(frame -> frame.getClassName().endsWith(".PendingUnit")
                                && frame.getMethodName().equals("await")))
                .count();
    }

    private long count() {
        return sql.<Long>query("SELECT COUNT(*) FROM t", row -> row.getLong(1)).get(0);
    }

    private static long number(Sql sql, int id) {
        return sql.<Long>query("SELECT n FROM t WHERE id = ?", row -> row.getLong(1), id)
                .get(0);
    }

    private static void await(CountDownLatch latch) throws SQLException {
        try {
            assertThat(latch.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }
}
