// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Series;

/**
 * The figures of one application, round by round.
 *
 * @param cpu microseconds of the application's processes, a login
 * @param server microseconds of the database server's processes, a login
 * @param switches context switches of the whole machine, a login
 * @param load microseconds of the process that is the load, a login
 */
record LoginFigures(
        String label,
        Series perSecond,
        Series p50,
        Series p99,
        Series cpu,
        Series server,
        Series switches,
        Series load,
        Series failed) {
    LoginFigures(String label) {
        this(
                label,
                new Series(),
                new Series(),
                new Series(),
                new Series(),
                new Series(),
                new Series(),
                new Series(),
                new Series());
    }
}
