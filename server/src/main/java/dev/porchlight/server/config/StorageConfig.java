// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.storage.DatabaseUrl;
import java.nio.file.Path;

/** Where things are kept: which database, and the directory of what is on this machine. */
public record StorageConfig(DatabaseUrl database, int connections, Path dataDir) {

    static StorageConfig read(Environment env) {
        Path dataDir = Path.of(env.text(Variable.DATA_DIR, "./data", value -> value.indexOf('\0') < 0, "a directory"));
        String url = env.checked(Variable.DATABASE_URL, "", DatabaseUrl::parse);
        if (env.text(Variable.REDIS_URL) != null) {
            env.fault(
                    Variable.REDIS_URL,
                    "is not supported yet",
                    "unset it; challenges are in the database, which all instances share");
        }
        return new StorageConfig(
                url.isEmpty() ? DatabaseUrl.sqliteIn(dataDir) : DatabaseUrl.parse(url),
                env.number(Variable.DATABASE_CONNECTIONS, 10, 1, 500),
                dataDir);
    }
}
