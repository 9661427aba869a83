// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that select rows of the audit log. */
final class AuditFilter {
    @Option(names = "--user", paramLabel = "USER", description = "only rows of this user")
    private @Nullable String user;

    @Option(
            names = "--action",
            paramLabel = "ACTION",
            converter = Action.class,
            description = "only rows with this action, such as login; docs/operations/audit-log.md lists them")
    private @Nullable AuditAction action;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = Since.class,
            description = "only rows from this time on: 2026-11-18, 2026-11-18T06:00:00Z, 24h or 7d")
    Instant since = Instant.EPOCH;

    @Option(names = "--until", paramLabel = "TIME", converter = Since.class, description = "only rows up to this time")
    private @Nullable Instant until;

    @Option(
            names = "--operator",
            paramLabel = "LABEL",
            description = "only rows of what this operator did: user:ada, token:NAME, cli:NAME")
    private @Nullable String operator;

    AuditEntry.Query query(AuditEntry.@Nullable Cursor after) {
        return new AuditEntry.Query(
                user,
                operator,
                action,
                since.toEpochMilli(),
                until == null ? Long.MAX_VALUE : until.toEpochMilli(),
                after);
    }

    /** Reads the code of an action. */
    static final class Action implements ITypeConverter<AuditAction> {
        @Override
        public AuditAction convert(String text) {
            return Stream.of(AuditAction.values())
                    .filter(action -> action.code().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("must be one of "
                            + Stream.of(AuditAction.values())
                                    .map(AuditAction::code)
                                    .collect(Collectors.joining(", "))));
        }
    }

    /** Reads a time, a day in UTC, or how long ago it is. */
    static final class Since implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                Duration ago = EnrollCommand.Lifetime.parse(text);
                if (ago != null) {
                    return Instant.now().minus(ago);
                }
                return text.contains("T")
                        ? Instant.parse(text)
                        : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            } catch (DateTimeException e) {
                throw new TypeConversionException(
                        "must be a time such as 2026-11-18T06:00:00Z, a day such as 2026-11-18, or an age such as 24h or 7d");
            }
        }
    }
}
