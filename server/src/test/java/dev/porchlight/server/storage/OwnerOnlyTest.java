// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestDatabase;
import dev.porchlight.support.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
    @TempDir
    private Path directory;

    @Test
    void a_new_database_is_private_even_in_a_public_directory() throws Exception {
        permissions(directory, "rwxr-xr-x");

        assertThatAllAreForTheOwner(directory.resolve("porchlight.db"));
        assertThat(OwnerOnly.advice(directory)).get().asString().contains("chmod 700 " + directory);
    }

    @Test
    void a_readable_database_is_restricted_to_its_owner() throws Exception {
        Path file = Files.createFile(directory.resolve("porchlight.db"));
        permissions(file, "rw-r--r--");
        Path log = Files.createFile(directory.resolve("porchlight.db-wal"));
        permissions(log, "rw-rw-r--");

        assertThatAllAreForTheOwner(file);
        assertThat(OwnerOnly.advice(directory)).isEmpty();
    }

    private void assertThatAllAreForTheOwner(Path file) throws Exception {
        try (Database database = TestDatabase.open("jdbc:sqlite:" + file, 2)) {
            database.migrate(Patience.LIMIT);
            try (var files = Files.list(directory)) {
                assertThat(files)
                        .hasSizeGreaterThan(2)
                        .allSatisfy(
                                each -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                                        .as(each.toString())
                                        .isEqualTo("rw-------"));
            }
        }
    }

    private static void permissions(Path path, String permissions) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
