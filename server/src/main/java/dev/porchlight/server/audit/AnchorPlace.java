// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A location outside of the audit tables that stores an anchor. Failures are I/O or storage exceptions. */
public interface AnchorPlace {
    /** The prefix of file names. */
    String FILE = "audit-anchor";

    /** The file in a directory for a database with this identity. */
    static Path fileOf(Path directory, String database) {
        return directory.resolve(FILE + '-' + HexFormat.of().toHexDigits(database.hashCode()));
    }

    /** The locations of every service: a table, and a file if there is a data directory. */
    static List<AnchorPlace> of(Sql sql, Path directory, String database) {
        return Files.isDirectory(directory)
                ? List.of(table(sql), file(fileOf(directory, database)))
                : List.of(table(sql));
    }

    /** The name in messages. */
    String name();

    /** Returns the stored anchor, or null. */
    @Nullable
    String read() throws IOException;

    void write(String anchor) throws IOException;

    /** The table {@code porchlight_audit_anchor}. */
    static AnchorPlace table(Sql sql) {
        return new AnchorPlace() {
            @Override
            public String name() {
                return "the table porchlight_audit_anchor";
            }

            @Override
            public @Nullable String read() {
                return Sql.first(sql.query(
                        "SELECT anchor FROM porchlight_audit_anchor WHERE name = 'newest'", row -> row.getString(1)));
            }

            @Override
            public void write(String anchor) {
                sql.update(
                        "INSERT INTO porchlight_audit_anchor (name, anchor) VALUES ('newest', ?)"
                                + " ON CONFLICT (name) DO UPDATE SET anchor = excluded.anchor",
                        anchor);
            }
        };
    }

    /** A file that only its owner can read. */
    static AnchorPlace file(Path file) {
        return new AnchorPlace() {
            @Override
            public String name() {
                return "the file " + file;
            }

            @Override
            public @Nullable String read() throws IOException {
                try {
                    return Files.readString(file);
                } catch (NoSuchFileException e) {
                    return null;
                }
            }

            @Override
            public void write(String anchor) throws IOException {
                Path aside = Files.createTempFile(
                        Objects.requireNonNull(file.toAbsolutePath().getParent()), "." + FILE, ".new");
                try {
                    Files.writeString(aside, anchor + '\n');
                    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } finally {
                    Files.deleteIfExists(aside);
                }
            }
        };
    }
}
