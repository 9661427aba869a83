// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Measurements;

/** The measurements of one application. Not thread-safe. */
final class LoginFigures {
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
