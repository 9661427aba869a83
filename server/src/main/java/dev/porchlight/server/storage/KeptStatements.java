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
 * A connection that keeps the statements it prepared, and hands them out again for the same text: SQLite takes about as long
 * to read a text as to do what it says, and its driver keeps none. A statement is kept when it is closed, unless it failed;
 * its results must be closed before it is. For one thread at a time, as a connection is.
 *
 * <p>By reflection: an interface of JDBC has a hundred methods, and one of them is of interest.
 */
final class KeptStatements {
    /** More than the service has texts. */
    private static final int KEPT = 64;

    private final Connection connection;
    private final Map<String, Statement> kept = new LinkedHashMap<>();

    private KeptStatements(Connection connection) {
        this.connection = connection;
    }

    /** The same source, of connections that keep their statements. */
    static DataSource of(DataSource source) {
        return as(DataSource.class, (self, method, arguments) -> {
            Object result = call(source, method, arguments);
            return result instanceof Connection connection ? new KeptStatements(connection).connection() : result;
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
        } else if (kept.size() > KEPT) {
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
        return type.cast(Proxy.newProxyInstance(KeptStatements.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
