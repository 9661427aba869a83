// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import java.util.ArrayList;
import java.util.List;

/** The 360 label sets both sides use: 6 methods, 12 routes, 5 statuses. */
final class LabelSets {
    static final String[] LABEL_NAMES = {"method", "route", "status"};
    static final double[] BUCKETS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final List<String> STATUSES = List.of("200", "201", "400", "401", "503");

    private LabelSets() {}

    static List<String[]> all() {
        var all = new ArrayList<String[]>();
        for (String method : METHODS) {
            for (int route = 0; route < 12; route++) {
                for (String status : STATUSES) {
                    all.add(new String[] {method, "/auth/passkey/resource" + route + "/{id}", status});
                }
            }
        }
        return all;
    }
}
