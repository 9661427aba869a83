// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Caches the prepared statements of a connection. SQLite takes about as long to parse a statement as to run it, and its driver
 * has no cache. A statement returns to the cache when it is closed, unless it failed; its results must be closed before.
 * Confined to one thread at a time, like the connection.
 *
 * <p>Uses proxies, because JDBC's interfaces have a hundred methods and only one is intercepted.
 */
final class StatementCache {
    /** More than the number of statements in the service. */
    private static final int MAX_SIZE = 64;

    private final Connection connection;
    private final Map<String, Statement> kept = new LinkedHashMap<>();

    private StatementCache(Connection connection) {
        this.connection = connection;
    }

    static DataSource of(DataSource source) {
        return as(DataSource.class, (self, method, arguments) -> {
            Object result = call(source, method, arguments);
            return result instanceof Connection connection ? new StatementCache(connection).connection() : result;
        });
    }

    private Connection connection() {
        return as(
                Connection.class,
                (self, method, arguments) -> method.getName().equals("prepareStatement") && arguments.length == 1
                        ? prepare((String) arguments[0])
                        : call(connection, method, arguments));
    }

    private PreparedStatement prepare(String sql) throws SQLException {
        Statement statement = kept.remove(sql);
        if (statement == null) {
            statement = new Statement(sql, connection.prepareStatement(sql));
        }
        statement.closed = false;
        return statement.shown;
    }

    private void keep(Statement statement) throws SQLException {
        try {
            statement.prepared.clearBatch();
            statement.prepared.clearParameters();
        } catch (SQLException e) {
            statement.prepared.close();
            throw e;
        }
        Statement other = kept.put(statement.sql, statement);
        if (other != null) {
            other.prepared.close();
        } else if (kept.size() > MAX_SIZE) {
            var oldest = kept.values().iterator();
            Statement dropped = oldest.next();
            oldest.remove();
            dropped.prepared.close();
        }
    }

    private final class Statement implements InvocationHandler {
        private final String sql;
        private final PreparedStatement prepared;
        private final PreparedStatement shown = as(PreparedStatement.class, this);
        private boolean failed;
        private boolean closed;

        Statement(String sql, PreparedStatement prepared) {
            this.sql = sql;
            this.prepared = prepared;
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
            switch (method.getName()) {
                case "close" -> {
                    close();
                    return null;
                }
                case "isClosed" -> {
                    return closed;
                }
                default -> {
                    try {
                        return call(prepared, method, arguments);
                    } catch (SQLException e) {
                        failed = true;
                        throw e;
                    }
                }
            }
        }

        private void close() throws SQLException {
            if (closed) {
                return;
            }
            closed = true;
            if (failed) {
                prepared.close();
            } else {
                keep(this);
            }
        }
    }

    static <T> T as(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(StatementCache.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
