// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.audit.AnchorPlace;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The audit log's anchor in Redis, shared by all instances. A missing anchor is not a fault. Thread-safe. */
public final class RedisAnchor implements AnchorPlace {
    private final Redis redis;
    private final String key;

    /**
     * Creates the anchor of one database; several may share a Redis.
     *
     * @param database identifies the database
     */
    public RedisAnchor(Redis redis, String database) {
        this.redis = redis;
        key = "porchlight:audit-anchor:" + UUID.nameUUIDFromBytes(database.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String name() {
        return "Redis";
    }

    @Override
    public @Nullable String read() {
        try {
            return redis.<@Nullable String>execute(key, jedis -> jedis.get(key));
        } catch (StorageException e) {
            return null;
        }
    }

    @Override
    public void write(String anchor) {
        redis.execute(key, jedis -> jedis.set(key, anchor));
    }
}
