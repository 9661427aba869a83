// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditTail;
import dev.porchlight.server.routes.Page;
import dev.porchlight.server.storage.NewFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The audit log. */
@Command(name = "audit", header = "List, follow, export or verify the audit log, or accept it after a restore.")
final class AuditCommand extends CommandGroup {
    static final String[] COLUMNS = {
        "at=time", "action", "userId=user", "outcome", "reason+clientId+group+changed+operator+further=details"
    };
    private static final int MAX_LIMIT = 10_000;
    private static final int PAGE = 1_000;
    private static final Duration BETWEEN_READS = Duration.ofSeconds(1);

    @Command(
            name = "list",
            header = "List rows of the audit log, the newest first.",
            description = {"", "--after continues a list."})
    void list(
            @Mixin AuditFilter filter,
            @Option(names = "--after", paramLabel = "ROW", description = "the row that the previous list ended with")
                    @Nullable
                    String after,
            @Option(
                            names = "--limit",
                            paramLabel = "COUNT",
                            defaultValue = "50",
                            description = "the maximum number of rows, up to 10000; default: ${DEFAULT-VALUE}")
                    int limit,
            @Mixin Format format)
            throws Exception {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw misuse("--limit must be 1 to " + MAX_LIMIT);
        }
        AuditEntry.Cursor cursor = after == null ? null : AuditEntry.Cursor.parse(after);
        if (after != null && cursor == null) {
            throw misuse("--after must be the row that an earlier list printed");
        }
        List<AuditEntry> found = new AuditStore(storage().sql()).entries(filter.query(cursor), limit + 1);
        Page<AuditEntry> page = Page.of(found, limit, AuditEntry::cursor);
        format.print(Listing.of(json -> page.write(json, "events", (member, row) -> row.write(member)))
                .table("", "events", "There are no such rows.", COLUMNS));
        if (page.next() != null && !format.isJson()) {
            err().println("There are more rows. Continue with --after " + page.next());
        }
    }

    @Command(
            name = "export",
            header = "Write rows of the audit log as JSON lines, the newest first.",
            description = {"", "Each line has the members that `audit list --json` prints for a row."})
    void export(
            @Parameters(paramLabel = "FILE", description = "the export; must not exist; - for standard output")
                    String file,
            @Mixin AuditFilter filter)
            throws Exception {
        var store = new AuditStore(storage().sql());
        long rows = export(file, lines -> {
            long written = 0;
            AuditEntry.Cursor cursor = null;
            List<AuditEntry> page;
            do {
                page = store.entries(filter.query(cursor), PAGE);
                for (AuditEntry row : page) {
                    lines.write(JsonWriter.object(row::write) + '\n');
                    cursor = row.cursor();
                }
                written += page.size();
            } while (page.size() == PAGE);
            return written;
        });
        if (!file.equals("-")) {
            out().println("exported " + counted(rows, "row") + " to " + file);
        }
    }

    @Command(
            name = "follow",
            header = "Write rows of the audit log as JSON lines as they are committed, for a SIEM.",
            description = {
                "",
                "Each line has the members that `audit list --json` prints for a row. Runs until it is stopped. Begins with new"
                        + " rows, or with those since --since. A file with the position lets a later run continue; rows that"
                        + " were written just before a crash are written again."
            })
    void follow(
            @Option(
                            names = "--position",
                            paramLabel = "FILE",
                            description = "keep the position here, and continue from it")
                    @Nullable
                    Path file,
            @Option(names = "--once", description = "end when all rows are written, instead of waiting for more")
                    boolean once,
            @Mixin AuditFilter filter)
            throws Exception {
        var store = new AuditStore(storage().sql());
        boolean continues = file != null && Files.exists(file);
        AuditTail tail = continues
                ? AuditTail.from(store, Files.readString(file))
                : filter.since.equals(Instant.EPOCH) ? AuditTail.fromEnd(store) : AuditTail.fromStart(store);
        if (!continues) {
            keep(tail, file);
        }
        AuditEntry.Query wanted = filter.query(null);
        while (true) {
            List<AuditEntry> rows = tail.next();
            rows.stream().filter(wanted::accepts).forEach(row -> out().println(JsonWriter.object(row::write)));
            if (out().checkError()) {
                throw new IOException("the rows could not be written");
            }
            if (!rows.isEmpty()) {
                keep(tail, file);
            } else if (once) {
                return;
            } else {
                Thread.sleep(BETWEEN_READS.toMillis());
            }
        }
    }

    /** Replaces the file as a whole. */
    private static void keep(AuditTail tail, @Nullable Path file) throws IOException {
        if (file != null) {
            Path written = Files.createTempFile(NewFile.directoryOf(file), "." + file.getFileName(), ".part");
            Files.writeString(written, tail.position());
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Command(
            name = "verify",
            header = "Check that the audit log was not changed, truncated, wiped or replaced.",
            description = {
                "",
                "Requires the SESSION_SECRET that the rows were written with. Exits with 1 if there are faults. The last line is"
                        + " the newest row. Store it elsewhere to detect a log that was replaced together with its anchors."
            })
    int verify(
            @Option(
                            names = "--expect",
                            paramLabel = "HEAD",
                            description =
                                    "a row that the log must contain, as printed by an earlier run or the service's log")
                    @Nullable
                    List<String> expected,
            @Mixin Format format)
            throws Exception {
        var guard = storage().auditGuard();
        List<String> faults = new ArrayList<>(guard.faults());
        var result = storage().auditVerification().verify();
        faults.addAll(result.faults());
        if (expected != null) {
            expected.forEach(head -> guard.missing(head).ifPresent(faults::add));
        }
        if (!format.isJson()) {
            faults.forEach(fault -> err().println(fault));
        }
        String head = guard.newest().map(Object::toString).orElse(null);
        Listing listing = Listing.of(json -> json.number("rows", result.rows())
                        .texts("faults", faults)
                        .optionalText("head", head))
                .note(counted(result.rows(), "row") + ", " + counted(faults.size(), "fault"));
        format.print(head == null ? listing : listing.note("head " + head));
        return faults.isEmpty() ? 0 : Cli.FAILED;
    }

    @Command(
            name = "accept",
            header = "Accept an audit log that lost rows, after a restore or a failover.",
            description = {
                "",
                "Sets the anchors to the current end of the log and writes an audit row about it. Faults within the chains"
                        + " remain."
            })
    void accept() throws Exception {
        var guard = storage().auditGuard();
        List<String> faults = guard.faults();
        if (faults.isEmpty()) {
            out().println("Nothing to accept: the log matches its anchors.");
            return;
        }
        audit(AuditAction.AUDIT_ACCEPTED, "");
        out().println("accepted: " + String.join("; ", faults));
        guard.anchor().ifPresent(head -> out().println("head " + head));
    }
}
