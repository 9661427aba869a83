// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Runs on SQLite and records which statements are prepared. */
class StatementCacheTest {
    private static final String INSERT = "INSERT INTO word (text) VALUES (?)";

    @TempDir
    Path directory;

    private final List<String> prepared = new ArrayList<>();
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + directory.resolve("test.db"));
        connection = StatementCache.of(noting(file)).getConnection();
        Sql.update(connection, "CREATE TABLE word (text TEXT PRIMARY KEY)");
        prepared.clear();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void a_statement_is_prepared_once_and_accepts_new_parameters() throws SQLException {
        Sql.update(connection, INSERT, "a");
        Sql.update(connection, INSERT, "b");
        Sql.update(connection, INSERT, "c");

        assertThat(words()).containsExactly("a", "b", "c");
        assertThat(words()).hasSize(3);
        assertThat(prepared).doesNotHaveDuplicates().contains(INSERT);
    }

    @Test
    void parameters_are_cleared_before_reuse() throws SQLException {
        Sql.update(connection, INSERT, "a");
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.executeUpdate();
        } catch (SQLException refused) {
            // without a parameter the driver may fail or write NULL
        }
        assertThat(words()).containsOnlyOnce("a");
    }

    @Test
    void a_failed_statement_is_not_cached() throws SQLException {
        Sql.update(connection, INSERT, "a");

        assertThatThrownBy(() -> Sql.update(connection, INSERT, "a")).isInstanceOf(SQLException.class);
        Sql.update(connection, INSERT, "b");

        assertThat(words()).containsExactly("a", "b");
        assertThat(prepared.stream().filter(INSERT::equals)).hasSize(2);
    }

    @Test
    void one_statement_can_be_open_twice() throws SQLException {
        Sql.update(connection, INSERT, "a");
        Sql.update(connection, INSERT, "b");
        try (PreparedStatement outer = connection.prepareStatement("SELECT text FROM word ORDER BY text");
                ResultSet rows = outer.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(words()).containsExactly("a", "b");
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("b");
        }
        assertThat(words()).containsExactly("a", "b");
    }

    @Test
    void more_statements_than_the_cache_holds_all_work() throws SQLException {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 200; i++) {
                int number = i;
                assertThat(Sql.query(connection, "SELECT " + number, row -> row.getInt(1)))
                        .containsExactly(number);
            }
        }
    }

    @Test
    void a_cached_statement_holds_no_lock() throws SQLException {
        Sql.update(connection, INSERT, "a");
        words();

        assertThat(new SqliteFile(directory.resolve("test.db")).lock()).isPresent();
    }

    private List<String> words() throws SQLException {
        return Sql.query(connection, "SELECT text FROM word ORDER BY text", row -> row.getString(1));
    }

    private DataSource noting(DataSource source) {
        return proxy(DataSource.class, (method, arguments) -> noting((Connection) method.invoke(source, arguments)));
    }

    private Connection noting(Connection real) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                prepared.add((String) arguments[0]);
            }
            return method.invoke(real, arguments);
        });
    }

    private interface Handler {
        Object call(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return handler.call(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
