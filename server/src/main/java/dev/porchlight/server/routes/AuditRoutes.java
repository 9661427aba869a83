// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditEntry.Cursor;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The audit log, for operators: {@code GET /admin/audit}. */
public final class AuditRoutes {
    /** The rows of one response of an export, which is built in memory. */
    private static final int MAX_EXPORTED = 1_000;

    private static final Pattern TIME = Pattern.compile("\\d{1,15}");

    private final AuditStore store;

    public AuditRoutes(AuditStore store) {
        this.store = store;
    }

    public void mount(Router.Builder router) {
        router.get("/admin/audit", Access.ADMIN_READ, this::list);
    }

    private Response list(Exchange exchange) throws ProblemException {
        String userId = Page.parameter(exchange, "userId");
        String after = Page.parameter(exchange, "after");
        Cursor cursor = after == null ? null : Cursor.parse(after);
        if (after != null && cursor == null) {
            throw new ProblemException(Problem.malformed("after must be the value of next in an earlier response."));
        }
        Format format = format(exchange);
        int limit = format == Format.JSON ? Page.limit(exchange) : Page.limit(exchange, MAX_EXPORTED, MAX_EXPORTED);
        var query = new AuditEntry.Query(
                userId,
                Page.parameter(exchange, "operator"),
                action(exchange),
                time(exchange, "since", 0),
                time(exchange, "until", Long.MAX_VALUE),
                cursor);
        Page<AuditEntry> page = Page.of(store.entries(query, limit + 1), limit, AuditEntry::cursor);
        if (format == Format.JSON) {
            return page.response("events", (event, entry) -> entry.write(event));
        }
        Response lines =
                Response.of(200, format.type, format.write(page.entries()).getBytes(StandardCharsets.UTF_8));
        return page.next() == null
                ? lines
                : lines.with("Link", '<' + following(exchange, page.next()) + ">; rel=\"next\"");
    }

    /** How rows are returned: as a page, or as lines for other programs. */
    private enum Format {
        JSON("application/json"),
        JSONL("application/jsonl"),
        CSV("text/csv; charset=utf-8");

        private final String type;

        Format(String type) {
            this.type = type;
        }

        private String write(List<AuditEntry> entries) {
            return this == CSV
                    ? AuditEntry.CSV_HEADER
                            + entries.stream().map(AuditEntry::csv).collect(Collectors.joining())
                    : entries.stream()
                            .map(entry -> JsonWriter.object(entry::write) + '\n')
                            .collect(Collectors.joining());
        }
    }

    private static Format format(Exchange exchange) throws ProblemException {
        String name = exchange.queryParameter("format");
        return Stream.of(Format.values())
                .filter(format ->
                        name == null || format.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new ProblemException(Problem.malformed("format must be json, jsonl or csv.")));
    }

    /** The same request for the rows after this one. */
    private static String following(Exchange exchange, String next) {
        String query = Objects.requireNonNullElse(exchange.query(), "").replaceAll("(^|&)after=[^&]*", "");
        return exchange.path() + '?' + query.replaceFirst("^&", "") + "&after=" + next;
    }

    private static @Nullable AuditAction action(Exchange exchange) throws ProblemException {
        String code = exchange.queryParameter("action");
        if (code == null) {
            return null;
        }
        return Stream.of(AuditAction.values())
                .filter(action -> action.code().equals(code))
                .findFirst()
                .orElseThrow(
                        () -> new ProblemException(Problem.malformed("action must be an action of the audit log.")));
    }

    private static long time(Exchange exchange, String name, long absent) throws ProblemException {
        String text = exchange.queryParameter(name);
        if (text != null && !TIME.matcher(text).matches()) {
            throw new ProblemException(Problem.malformed(name + " must be a time in milliseconds since 1970."));
        }
        return text == null ? absent : Long.parseLong(text);
    }
}
