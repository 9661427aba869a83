// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis or Valkey as named by {@code REDIS_URL}: {@code redis://HOST}, {@code redis+cluster://HOST,HOST} or
 * {@code redis+sentinel://HOST,HOST/NAME}, each also with {@code rediss} for TLS and with {@code USER:PASSWORD@}.
 *
 * @param nodes the server, some nodes of a cluster, or the sentinels
 * @param master the master name that the sentinels use; otherwise null
 */
public record RedisUrl(
        Kind kind,
        boolean tls,
        List<Node> nodes,
        @Nullable String user,
        @Nullable String password,
        int database,
        @Nullable String master) {
    private static final Pattern SHAPE = Pattern.compile("(rediss?)(?:\\+(cluster|sentinel))?://(.*)", Pattern.DOTALL);
    private static final Pattern NODE =
            Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[A-Za-z0-9][A-Za-z0-9._-]*)(?::([0-9]{1,5}))?");
    private static final int SERVER_PORT = 6379;
    private static final int SENTINEL_PORT = 26379;

    public enum Kind {
        SERVER,
        CLUSTER,
        SENTINEL
    }

    /** A host and port; an IPv6 address has no brackets. */
    public record Node(String host, int port) {
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
        }
    }

    public RedisUrl {
        nodes = List.copyOf(nodes);
    }

    /** Parses a URL; an {@link IllegalArgumentException} describes accepted URLs without repeating a password. */
    public static RedisUrl parse(String url) {
        Matcher shape = SHAPE.matcher(url);
        if (!shape.matches()) {
            throw new IllegalArgumentException("must be redis://USER:PASSWORD@HOST:PORT/DATABASE, rediss:// for TLS,"
                    + " redis+cluster://HOST,HOST or redis+sentinel://HOST,HOST/NAME");
        }
        Kind kind =
                shape.group(2) == null ? Kind.SERVER : shape.group(2).equals("cluster") ? Kind.CLUSTER : Kind.SENTINEL;
        int at = shape.group(3).lastIndexOf('@');
        String credentials = shape.group(3).substring(0, Math.max(at, 0));
        int colon = credentials.indexOf(':');
        if (at >= 0 && (colon < 0 || colon == credentials.length() - 1)) {
            throw new IllegalArgumentException("has no password before the @: use redis://USER:PASSWORD@HOST, or"
                    + " redis://:PASSWORD@HOST without a user");
        }
        String[] parts = shape.group(3).substring(at + 1).split("/", -1);
        int port = kind == Kind.SENTINEL ? SENTINEL_PORT : SERVER_PORT;
        List<Node> nodes =
                Stream.of(parts[0].split(",", -1)).map(text -> node(text, port)).toList();
        if (kind == Kind.SERVER && nodes.size() > 1) {
            throw new IllegalArgumentException(
                    "has several servers: use redis+cluster:// for a cluster or redis+sentinel:// for sentinels");
        }
        return new RedisUrl(
                kind,
                shape.group(1).equals("rediss"),
                nodes,
                colon < 1 ? null : DatabaseUrl.decode(credentials.substring(0, colon)),
                colon < 0 ? null : DatabaseUrl.decode(credentials.substring(colon + 1)),
                database(kind, parts),
                kind == Kind.SENTINEL ? master(parts) : null);
    }

    private static Node node(String text, int otherwise) {
        Matcher node = NODE.matcher(text);
        int port = !node.matches() ? -1 : node.group(2) == null ? otherwise : Integer.parseInt(node.group(2));
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "has an invalid host: use comma-separated HOST or HOST:PORT, and write / @ : and % in a password as"
                            + " %2F %40 %3A and %25");
        }
        return new Node(node.group(1).replaceAll("[\\[\\]]", ""), port);
    }

    private static String master(String[] parts) {
        if (parts.length < 2 || !parts[1].matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("has no master name: use redis+sentinel://HOST,HOST/NAME");
        }
        return parts[1];
    }

    private static int database(Kind kind, String[] parts) {
        int place = kind == Kind.SENTINEL ? 2 : 1;
        String database = parts.length > place ? parts[place] : "";
        if (parts.length > place + 1
                || !database.matches("[0-9]{0,4}")
                || kind == Kind.CLUSTER && !database.isEmpty()) {
            throw new IllegalArgumentException(
                    kind == Kind.CLUSTER
                            ? "has a path after the hosts: a cluster has only one database"
                            : "has an invalid database number: use redis://HOST/0");
        }
        return database.isEmpty() ? 0 : Integer.parseInt(database);
    }

    /** Without user and password, which must not be logged. */
    @Override
    public String toString() {
        return (tls ? "rediss" : "redis")
                + switch (kind) {
                    case SERVER -> "";
                    case CLUSTER -> "+cluster";
                    case SENTINEL -> "+sentinel";
                }
                + "://"
                + nodes.stream().map(Node::toString).collect(Collectors.joining(","))
                + (master == null ? "" : "/" + master)
                + (database == 0 ? "" : "/" + database);
    }
}
