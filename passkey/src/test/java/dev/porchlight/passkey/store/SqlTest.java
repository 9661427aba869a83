// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exceptions of drivers and pools become storage exceptions, and committed work counts as done. */
class SqlTest {
    private HikariDataSource pool;

    @BeforeEach
    void open() {
        pool = TestDatabase.SQLITE.fresh();
        new Sql(pool).update("CREATE TABLE t (x INTEGER)");
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"getConnection", "prepareStatement", "commit"})
    void unchecked_exceptions_become_storage_exceptions(String method) {
        var sql = new Sql(failing(method, new IllegalStateException("a driver bug")));

        assertThatThrownBy(() -> sql.transaction("add", it -> Sql.update(it, "INSERT INTO t VALUES (1)")))
                .isInstanceOf(StorageException.class)
                .hasRootCauseMessage("a driver bug");
        assertThat(rows()).isZero();
    }

    @Test
    void an_error_rolls_back_the_transaction() {
        assertThatThrownBy(() -> new Sql(pool).transaction("add", it -> {
                    Sql.update(it, "INSERT INTO t VALUES (1)");
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(rows()).isZero();
    }

    @Test
    void a_failed_rollback_does_not_commit() {
        var sql = new Sql(failing("rollback", new SQLException("cannot roll back")));

        assertThatThrownBy(() -> sql.transaction("add", it -> {
                    Sql.update(it, "INSERT INTO t VALUES (1)");
                    throw new SQLException("no more");
                }))
                .isInstanceOf(StorageException.class)
                .hasRootCauseMessage("no more");
        assertThat(rows()).isZero();
    }

    @Test
    void a_row_that_cannot_be_read_is_a_storage_exception() {
        assertThatThrownBy(() -> new Sql(pool).query("SELECT 1", row -> {
                    throw new IllegalArgumentException("no such sign count");
                }))
                .isInstanceOf(StorageException.class);
    }

    @Test
    void a_storage_exception_is_not_wrapped() {
        var own = new StorageException("mine");

        assertThatThrownBy(() -> new Sql(pool).transaction("fail", it -> {
                    throw own;
                }))
                .isSameAs(own);
    }

    @Test
    void a_pool_that_cannot_connect_is_a_storage_exception() {
        DataSource unopened = failing("getConnection", new IllegalStateException("no database"));

        assertThatThrownBy(() -> Migration.run(unopened)).isInstanceOf(StorageException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "setAutoCommit true"})
    void a_commit_succeeds_even_if_the_connection_cannot_be_returned(String method) {
        var sql = new Sql(failing(method, new SQLException("connection lost")));

        assertThat(sql.<Integer>transaction("add", it -> Sql.update(it, "INSERT INTO t VALUES (1)")))
                .isEqualTo(1);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void the_observer_is_notified_of_every_end() {
        var ended = new AtomicInteger();
        var sql = new Sql(pool, text -> ended::incrementAndGet);

        sql.update("INSERT INTO t VALUES (1)");
        assertThatThrownBy(() -> sql.update("no SQL")).isInstanceOf(StorageException.class);

        assertThat(ended).hasValue(2);
    }

    private long rows() {
        return new Sql(pool)
                .query("SELECT COUNT(*) FROM t", row -> row.getLong(1))
                .get(0);
    }

    /** Wraps the pool so that one method, optionally with an argument, fails after its work; commit fails before. */
    private DataSource failing(String method, Exception failure) {
        return proxy(DataSource.class, pool, method, failure);
    }

    private static <T> T proxy(Class<T> type, Object target, String method, Exception failure) {
        return type.cast(Proxy.newProxyInstance(
                SqlTest.class.getClassLoader(), new Class<?>[] {type}, (self, call, given) -> {
                    boolean named = method.equals(call.getName())
                            || given != null && method.equals(call.getName() + " " + given[0]);
                    boolean before = named && !method.startsWith("close") && !method.startsWith("set");
                    if (before) {
                        throw failure;
                    }
                    try {
                        Object result = call.invoke(target, given);
                        if (named) {
                            throw failure;
                        }
                        return result instanceof Connection ? proxy(Connection.class, result, method, failure) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
