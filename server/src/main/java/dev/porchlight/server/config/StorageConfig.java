// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.storage.DataDirectory;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.RedisUrl;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where things are kept: which database, and the directory of what is on this machine.
 *
 * @param redis where sessions, challenges, enrolments and rate limits are; absent: in the database, and limits per instance
 * @param auditRetentionDays when audit rows are removed; 0 for never
 */
public record StorageConfig(
        DatabaseUrl database, int connections, Path dataDir, Optional<RedisUrl> redis, int auditRetentionDays) {

    static StorageConfig read(Environment env) {
        Path dataDir = Path.of(env.text(Variable.DATA_DIR, "./data", value -> value.indexOf('\0') < 0, "a directory"));
        String url = env.checked(Variable.DATABASE_URL, "", DatabaseUrl::parse);
        String redis = env.checked(Variable.REDIS_URL, "", RedisUrl::parse);
        return new StorageConfig(
                url.isEmpty() ? DatabaseUrl.sqliteIn(dataDir) : DatabaseUrl.parse(url),
                env.number(Variable.DATABASE_CONNECTIONS, 10, 1, 500),
                dataDir,
                redis.isEmpty() ? Optional.empty() : Optional.of(RedisUrl.parse(redis)),
                env.number(Variable.AUDIT_RETENTION_DAYS, 0, 0, 36_500));
    }

    /** Reports a path on which something that is not a directory stands in the way. */
    void checkDataDir(Environment env) {
        Path existing = nearestExisting(dataDir);
        if (!Files.isDirectory(existing)) {
            env.fault(
                    Variable.DATA_DIR,
                    "is " + dataDir + ", which is not a directory (" + existing + " is a file)",
                    "a directory is needed, which is created if it does not exist");
        }
    }

    /** The path itself, or the nearest of its parents that exists. */
    public static Path nearestExisting(Path path) {
        Path existing = path.toAbsolutePath().normalize();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return existing;
    }

    /** Creates the data directory if it does not exist, and checks that files can be created in it. */
    public void makeDataDir() throws UnusableSettingException {
        boolean existed = Files.isDirectory(dataDir);
        try {
            DataDirectory.make(dataDir);
            Files.delete(Files.createTempFile(dataDir, ".porchlight-", null));
        } catch (IOException e) {
            throw new UnusableSettingException(
                    new Fault(
                            Variable.DATA_DIR.name(),
                            "is " + dataDir + ", which cannot be " + (existed ? "written to" : "created") + " ("
                                    + reason(e) + ")",
                            "a directory is needed that the user of the service may write to"),
                    e);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = e instanceof FileSystemException fault ? fault.getReason() : null;
        return reason == null ? "the file system does not allow it" : reason;
    }
}
