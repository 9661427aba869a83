// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import dev.porchlight.drill.row.Row;
import dev.porchlight.drill.storage.WrongThenRight;
import java.util.List;

/** All rows, in the order of the table. */
final class Rows {
    static final List<Row> ALL = List.of(
            new WrongThenRight(),
            new dev.porchlight.drill.lifecycle.RestartsBehindProxy(),
            new dev.porchlight.drill.lifecycle.RollingUpgrade(),
            new dev.porchlight.drill.http.SlowClients(),
            new dev.porchlight.drill.http.MalformedRequests(),
            new dev.porchlight.drill.http.HugeBodies(),
            new dev.porchlight.drill.pressure.Overload(),
            new dev.porchlight.drill.pressure.FewDescriptors(),
            new dev.porchlight.drill.pressure.SmallHeap());

    private Rows() {}
}
