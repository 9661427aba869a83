// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.RedisUrl;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where things are kept: which database, and the directory of what is on this machine.
 *
 * @param redis where sessions, challenges, enrolments and rate limits are; absent: in the database, and limits per instance
 */
public record StorageConfig(DatabaseUrl database, int connections, Path dataDir, Optional<RedisUrl> redis) {

    static StorageConfig read(Environment env) {
        Path dataDir = Path.of(env.text(Variable.DATA_DIR, "./data", value -> value.indexOf('\0') < 0, "a directory"));
        String url = env.checked(Variable.DATABASE_URL, "", DatabaseUrl::parse);
        String redis = env.checked(Variable.REDIS_URL, "", RedisUrl::parse);
        return new StorageConfig(
                url.isEmpty() ? DatabaseUrl.sqliteIn(dataDir) : DatabaseUrl.parse(url),
                env.number(Variable.DATABASE_CONNECTIONS, 10, 1, 500),
                dataDir,
                redis.isEmpty() ? Optional.empty() : Optional.of(RedisUrl.parse(redis)));
    }
}
