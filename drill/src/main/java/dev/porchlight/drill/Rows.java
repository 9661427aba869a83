// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import dev.porchlight.drill.row.Row;
import dev.porchlight.drill.storage.KillWhileRegistering;
import dev.porchlight.drill.storage.WrongThenRight;
import java.util.List;

/** All rows, in the order of the table. */
final class Rows {
    static final List<Row> ALL = List.of(new KillWhileRegistering(), new WrongThenRight());

    private Rows() {}
}
