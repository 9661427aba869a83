// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.row;

import java.util.List;

/**
 * What stands in the table whether or not the row was run.
 *
 * @param id such as {@code R4}
 * @param fault what is done to the service
 * @param expected what must come of it
 * @param promises which of them it shows
 */
public record About(String id, String fault, String expected, List<Promise> promises) {
    public About(String id, String fault, String expected, Promise... promises) {
        this(id, fault, expected, List.of(promises));
    }
}
