// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Series;

/** The figures of one application, round by round. Not thread-safe. */
final class LoginFigures {
    final String label;
    final Series perSecond = new Series();
    final Series p50 = new Series();
    final Series p99 = new Series();
    /** Microseconds of the application's processes, a login. */
    final Series cpu = new Series();
    /** Microseconds of the database server's processes, a login. */
    final Series server = new Series();
    /** Context switches of the whole machine, a login. */
    final Series switches = new Series();
    /** Microseconds of the process that is the load, a login. */
    final Series load = new Series();

    final Series failed = new Series();

    LoginFigures(String label) {
        this.label = label;
    }
}
