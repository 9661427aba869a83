// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.passkey.Cores;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Two tables of logins: throughput and latency, and cost per login. Not thread-safe. */
final class LoginTables {
    private static final String MICROS = "%,.0f µs";

    private final Measurements verifications;
    private final Measurements check;
    private final List<Contestant> contestants = new ArrayList<>();

    private record Contestant(Storage storage, LoginFigures figures, LoginFigures ours) {}

    /**
     * Creates tables without rows.
     *
     * @param verifications signatures that all cores together verify per second
     * @param check CPU microseconds of a bare signature check
     */
    LoginTables(Measurements verifications, Measurements check) {
        this.verifications = verifications;
        this.check = check;
    }

    /** Adds the rows of a database. The last application is ours, and the others are compared with it. */
    void add(Storage storage, List<LoginFigures> figures) {
        LoginFigures ours = figures.get(figures.size() - 1);
        figures.forEach(it -> contestants.add(new Contestant(storage, it, ours)));
    }

    void write(Section section) {
        section.columns(2, "database | contestant | per second | spread | ours does | p50 | our p50 | p99 | failed");
        contestants.forEach(it -> section.row(rate(it.storage(), it.figures(), it.ours())));
        section.columns(
                2,
                "database | contestant | CPU each | in signature checks | PostgreSQL's CPU each"
                        + " | context switches each");
        contestants.forEach(it -> section.row(cost(it.storage(), it.figures())));
    }

    private String[] rate(Storage storage, LoginFigures one, LoginFigures ours) {
        return new String[] {
            storage.label(),
            one.label,
            one.perSecond.shown("%,.0f"),
            one.perSecond.spread("%,.0f"),
            one.equals(ours) ? share(one) : times(ours.perSecond, one.perSecond),
            one.p50.shown("%.1f ms"),
            one.p50.share(ours.p50),
            one.p99.shown("%.1f ms"),
            one.failed.total()
        };
    }

    private String[] cost(Storage storage, LoginFigures one) {
        return new String[] {
            storage.label(),
            one.label,
            one.cpu.shown(MICROS),
            String.format(Locale.ROOT, "%.1f", one.cpu.median() / check.median()),
            storage.server() ? one.server.shown(MICROS) : "",
            one.switches.shown("%.1f")
        };
    }

    private static String times(Measurements ours, Measurements theirs) {
        return String.format(Locale.ROOT, "%.2f times as many", ours.median() / theirs.median());
    }

    private String share(LoginFigures ours) {
        double perSecond = ours.perSecond.median();
        double left = Cores.COUNT - perSecond * ours.load.median() / 1e6;
        return String.format(
                Locale.ROOT, "%.0f %% of the cores", 100 * perSecond / (verifications.median() / Cores.COUNT * left));
    }

    /** The measurements of one application. Not thread-safe. */
    static final class LoginFigures {
        final String label;
        final Measurements perSecond = new Measurements();
        final Measurements p50 = new Measurements();
        final Measurements p99 = new Measurements();
        /** CPU microseconds per login in the application's processes. */
        final Measurements cpu = new Measurements();
        /** CPU microseconds per login in the database server's processes. */
        final Measurements server = new Measurements();
        /** Context switches per login on the whole machine. */
        final Measurements switches = new Measurements();
        /** CPU microseconds per login in the load generator. */
        final Measurements load = new Measurements();

        final Measurements failed = new Measurements();

        LoginFigures(String label) {
            this.label = label;
        }
    }
}
