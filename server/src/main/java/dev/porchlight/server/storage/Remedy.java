// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.storage.DatabaseUrl.Engine;

/** What an operator can do about a database that cannot be used. */
final class Remedy {
    private Remedy() {}

    /** The failure in one line: which database, what it says, and what to do. */
    static StorageException with(DatabaseUrl url, StorageException failure) {
        if (failure.getCause() == null) {
            return failure; // ours, and it says what to do
        }
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        boolean startup = String.valueOf(deepest.getMessage()).contains("unsupported startup parameter");
        String said = String.valueOf(deepest.getMessage()).strip().replaceAll("\\s+", " ");
        var told = new StorageException("the database " + url + " cannot be used: " + said + "; "
                + (startup ? "add it to ignore_startup_parameters in pgbouncer.ini" : of(url.engine(), failure)));
        told.addSuppressed(failure);
        return told;
    }

    private static String of(Engine engine, StorageException failure) {
        boolean file = engine == Engine.SQLITE;
        return switch (failure.fault()) {
            case DENIED -> file ? "let this user read and write it" : "correct user and password in DATABASE_URL";
            case FULL -> "make room on its disk";
            case READ_ONLY ->
                file
                        ? "let this user write the file and its directory"
                        : "name a server that takes writes in DATABASE_URL";
            case DAMAGED ->
                file
                        ? "put a backup in its place with ./porchlight restore, or move it away to begin anew"
                        : "look into the server's log, and restore a backup if need be";
            case UNAVAILABLE ->
                file
                        ? "see that its directory is there and that no other program holds it"
                        : "see that it runs, and that DATABASE_URL names it";
        };
    }
}
