// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.operator.capacity.Sizing;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Estimates the size of a deployment. */
@Command(
        name = "capacity",
        header = "Estimate the instances, database size and storage that a number of users needs.",
        description = {
            "",
            "The estimate is for PostgreSQL and is based on measured costs, see docs/operations/scaling.md.",
            "Counts may end in K, M or B, as in 10M."
        })
final class CapacityCommand extends BaseCommand {
    @Option(
            names = "--users",
            required = true,
            paramLabel = "COUNT",
            converter = Count.class,
            description = "registered users")
    private long users;

    @Option(
            names = "--logins-per-day",
            paramLabel = "COUNT",
            converter = Count.class,
            description = "sign-ins on an average day; by default three for ten users")
    private long logins = -1;

    @Option(
            names = "--registrations-per-day",
            paramLabel = "COUNT",
            converter = Count.class,
            description = "new passkeys on an average day; by default a thousandth of the users")
    private long registrations = -1;

    @Option(
            names = "--passkeys-per-user",
            paramLabel = "NUMBER",
            defaultValue = "1.5",
            description = "default: ${DEFAULT-VALUE}")
    private double passkeys;

    @Option(
            names = "--peak",
            paramLabel = "TIMES",
            defaultValue = "4",
            description = "ratio of the busiest minute to the average; default: ${DEFAULT-VALUE}")
    private double peak;

    @Option(
            names = "--check-micros",
            paramLabel = "MICROSECONDS",
            defaultValue = "160",
            description =
                    "CPU time of a signature check on your machines, as `./porchlight bench assertion-floor` measures it; "
                            + "default: ${DEFAULT-VALUE}")
    private double check;

    @Option(
            names = "--session-hours",
            paramLabel = "HOURS",
            defaultValue = "12",
            description = "default: ${DEFAULT-VALUE}")
    private int sessionHours;

    @Mixin
    private final Format format = new Format();

    @Override
    int run() {
        require(passkeys > 0, "--passkeys-per-user must be more than 0");
        require(peak >= 1, "--peak must be at least 1");
        require(check > 0, "--check-micros must be more than 0");
        require(sessionHours > 0, "--session-hours must be more than 0");
        var sizing = new Sizing(
                users,
                logins < 0 ? users * 3 / 10 : logins,
                registrations < 0 ? users / 1000 : registrations,
                passkeys,
                peak,
                check,
                Duration.ofHours(sessionHours));
        if (format.isJson()) {
            out().println(json(sizing));
            return 0;
        }
        print("Load", "%s on average, %s at the peak", rate(sizing.averageLogins()), rate(sizing.peakLogins()));
        String instances = "%d with 2 cores each; %.2f cores in use at the peak";
        print("Instances", instances, sizing.instances(), sizing.instanceCores());
        String database = "%.2f cores in use at the peak; %d connections";
        print("Database", database, sizing.databaseCores(), sizing.connections());
        print("", "one server with 16 cores handles %,.0f logins a second", sizing.loginsPerDatabase());
        String storage = "%s for users and passkeys, %s for sessions and used challenges";
        print("Storage", storage, bytes(sizing.accountBytes()), bytes(sizing.transientBytes()));
        print("", "%s a year for the audit log", bytes(sizing.auditBytesPerYear()));
        print("Replication", "%s of write-ahead log a day", bytes(sizing.walBytesPerDay()));
        print("First limit", "%s", sizing.bottleneck());
        return 0;
    }

    private static String json(Sizing sizing) {
        return JsonWriter.object(json -> json.decimal("averageLoginsPerSecond", sizing.averageLogins())
                .decimal("peakLoginsPerSecond", sizing.peakLogins())
                .number("instances", sizing.instances())
                .decimal("instanceCores", sizing.instanceCores())
                .decimal("databaseCores", sizing.databaseCores())
                .number("connections", sizing.connections())
                .decimal("loginsPerSecondPerDatabase", sizing.loginsPerDatabase())
                .decimal("accountBytes", sizing.accountBytes())
                .decimal("transientBytes", sizing.transientBytes())
                .decimal("auditBytesPerYear", sizing.auditBytesPerYear())
                .decimal("walBytesPerDay", sizing.walBytesPerDay())
                .text("firstLimit", sizing.bottleneck()));
    }

    /** In the largest unit of time that has at least one login. */
    private static String rate(double perSecond) {
        boolean seconds = perSecond >= 1;
        boolean minutes = perSecond * 60 >= 1;
        long count = Math.round(perSecond * (seconds ? 1 : minutes ? 60 : 3_600));
        String unit = seconds ? "a second" : minutes ? "a minute" : "an hour";
        return String.format(Locale.ROOT, "%,d login%s %s", count, count == 1 ? "" : "s", unit);
    }

    private void require(boolean valid, String message) {
        if (!valid) {
            throw misuse(message);
        }
    }

    private void print(String what, String format, Object... values) {
        out().println(String.format(Locale.ROOT, "%-12s ", what) + String.format(Locale.ROOT, format, values));
    }

    private static String bytes(double count) {
        String[] units = {"kB", "MB", "GB", "TB", "PB"};
        int unit = 0;
        double value = count / 1e3;
        while (value >= 1000 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }

    /** A count such as 250000, 250K or 2.5M. */
    static final class Count implements ITypeConverter<Long> {
        private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,3})?)([KMB]?)");

        @Override
        public Long convert(String text) {
            Matcher form = FORM.matcher(text.toUpperCase(Locale.ROOT));
            if (!form.matches()) {
                throw new TypeConversionException("'" + text + "' is not a count such as 250000, 250K or 2.5M");
            }
            double unit = switch (form.group(2)) {
                case "K" -> 1e3;
                case "M" -> 1e6;
                case "B" -> 1e9;
                default -> 1;
            };
            return Math.round(Double.parseDouble(form.group(1)) * unit);
        }
    }
}
