// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.storage.UserAccess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Prints an enrollment link. */
@Command(
        name = "enroll",
        header = "Print a link that lets a user register a passkey.",
        description = {
            "",
            "The link works for one passkey, for a new user or for a user who lost theirs.",
            "Anyone with the link can register as that user. Send it over a trusted channel."
        })
final class EnrollCommand extends BaseCommand {
    @Parameters(paramLabel = "USER", description = "the user id, 1 to 256 characters")
    private String user = "";

    @Option(
            names = "--valid",
            paramLabel = "LIFETIME",
            defaultValue = "10m",
            converter = Lifetime.class,
            description =
                    "how long the link is valid, from 1s to 7d, for example 30m or 24h; default: ${DEFAULT-VALUE}")
    private Duration valid = Enrollments.LIFETIME;

    @Mixin
    private final Format format = new Format();

    @Override
    int run() throws Exception {
        UserIds.require(user);
        var result = administer(directory -> directory.invitations().issue(user, valid, Operator.commandLine()));
        Enrollments.Issued issued = result.issued();
        if (issued == null) {
            throw new IllegalArgumentException(result.sentence());
        }
        String url = config().relyingParty().origin() + "/#enroll=" + issued.token();
        boolean locked = UserAccess.read(storage().sql(), user).locked();
        format.print(Listing.of(json -> json.text("url", url)
                        .number("expiresAt", issued.expiresAt())
                        .bool("locked", locked))
                .note(url));
        if (!format.isJson()) { // not on standard output, which scripts read the link from
            err().println("Valid until "
                    + Instant.ofEpochMilli(issued.expiresAt()).truncatedTo(ChronoUnit.SECONDS));
        }
        if (locked) {
            warn("the user is locked. The link does not work until ./porchlight users unlock");
        }
        return 0;
    }

    /** Reads a number with a unit. */
    static final class Lifetime implements ITypeConverter<Duration> {
        private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,5})([smhd])");

        @Override
        public Duration convert(String text) {
            Duration lifetime = parse(text);
            if (lifetime == null || lifetime.compareTo(Enrollments.MAX_LIFETIME) > 0) {
                throw new TypeConversionException(
                        "must be from 1s to 7d: a number with the unit s, m, h or d, for example 30m");
            }
            return lifetime;
        }

        /** A duration such as 30m, or null. */
        static @Nullable Duration parse(String text) {
            Matcher parts = FORM.matcher(text);
            if (!parts.matches()) {
                return null;
            }
            long number = Long.parseLong(parts.group(1));
            return switch (parts.group(2)) {
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        }
    }
}
