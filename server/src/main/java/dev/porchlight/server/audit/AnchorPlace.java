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

/** A location outside of the audit tables that stores an anchor: another table, or a file that only its owner can read. */
public final class AnchorPlace {
    public static final String FILE = "audit-anchor";

    private static final String READ = "SELECT anchor FROM porchlight_audit_anchor WHERE name = 'newest'";
    private static final String WRITE = "INSERT INTO porchlight_audit_anchor (name, anchor) VALUES ('newest', ?)"
            + " ON CONFLICT (name) DO UPDATE SET anchor = excluded.anchor";

    private final Sql sql;
    private final @Nullable Path file;

    private AnchorPlace(Sql sql, @Nullable Path file) {
        this.sql = sql;
        this.file = file;
    }

    /** The file in a directory for a database with this identity. */
    public static Path fileOf(Path directory, String database) {
        return directory.resolve(FILE + '-' + HexFormat.of().toHexDigits(database.hashCode()));
    }

    /** The locations of every service: a table, and a file if there is a data directory. */
    public static List<AnchorPlace> of(Sql sql, Path directory, String database) {
        AnchorPlace table = new AnchorPlace(sql, null);
        return Files.isDirectory(directory)
                ? List.of(table, new AnchorPlace(sql, fileOf(directory, database)))
                : List.of(table);
    }

    String name() {
        return file == null ? "the table porchlight_audit_anchor" : "the file " + file;
    }

    @Nullable
    String read() throws IOException {
        if (file == null) {
            return Sql.first(sql.query(READ, row -> row.getString(1)));
        }
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    void write(String anchor) throws IOException {
        if (file == null) {
            sql.update(WRITE, anchor);
            return;
        }
        Path aside = Files.createTempFile(
                Objects.requireNonNull(file.toAbsolutePath().getParent()), "." + FILE, ".new");
        try {
            Files.writeString(aside, anchor + '\n');
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
