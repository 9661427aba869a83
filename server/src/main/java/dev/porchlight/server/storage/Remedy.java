// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.storage.DatabaseUrl.Engine;

/** Explains how to fix a database that cannot be used. */
final class Remedy {
    private Remedy() {}

    /** Returns the failure with the database, its message and a fix in one line. */
    static StorageException with(DatabaseUrl url, StorageException failure) {
        if (failure.getCause() == null) {
            return failure; // our own, with a fix in its message
        }
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        boolean startup = String.valueOf(deepest.getMessage()).contains("unsupported startup parameter");
        String message = String.valueOf(deepest.getMessage()).strip().replaceAll("\\s+", " ");
        var explained = new StorageException("cannot use the database " + url + ": " + message + "; "
                + (startup ? "add it to ignore_startup_parameters in pgbouncer.ini" : of(url.engine(), failure)));
        explained.addSuppressed(failure);
        return explained;
    }

    private static String of(Engine engine, StorageException failure) {
        boolean file = engine == Engine.SQLITE;
        return switch (failure.fault()) {
            case DENIED ->
                file ? "give this user read and write permission" : "correct the user and password in DATABASE_URL";
            case FULL -> "free space on its disk";
            case READ_ONLY ->
                file
                        ? "give this user write permission for the file and its directory"
                        : "set DATABASE_URL to a server that accepts writes";
            case DAMAGED ->
                file
                        ? "restore a backup with ./porchlight restore, or move the file away to start empty"
                        : "check the server's log, and restore a backup if necessary";
            case UNAVAILABLE ->
                file
                        ? "check that its directory exists and that no other program locks it"
                        : "check that it is running and that DATABASE_URL is correct";
        };
    }
}
