// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

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
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The audit log, for operators: {@code GET /admin/audit}. */
public final class AuditRoutes {
    private static final Pattern TIME = Pattern.compile("\\d{1,15}");

    private final AuditStore store;

    public AuditRoutes(AuditStore store) {
        this.store = store;
    }

    public void mount(Router.Builder router) {
        router.get("/admin/audit", Access.ADMIN, this::list);
    }

    private Response list(Exchange exchange) throws ProblemException {
        String userId = Page.parameter(exchange, "userId");
        String after = Page.parameter(exchange, "after");
        Cursor cursor = after == null ? null : Cursor.parse(after);
        if (after != null && cursor == null) {
            throw new ProblemException(Problem.malformed("after must be the value of next in an earlier response."));
        }
        int limit = Page.limit(exchange);
        var query = new AuditEntry.Query(userId, action(exchange), since(exchange), cursor);
        List<AuditEntry> found = store.entries(query, limit + 1);
        return Page.of(found, limit, AuditEntry::cursor).response("events", (event, entry) -> entry.write(event));
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

    private static long since(Exchange exchange) throws ProblemException {
        String text = Objects.requireNonNullElse(exchange.queryParameter("since"), "0");
        if (!TIME.matcher(text).matches()) {
            throw new ProblemException(Problem.malformed("since must be a time in milliseconds since 1970."));
        }
        return Long.parseLong(text);
    }
}
