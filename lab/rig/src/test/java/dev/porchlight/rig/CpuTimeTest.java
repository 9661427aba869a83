// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.server.Program;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
    @Test
    void the_time_of_this_process_grows_while_it_works() {
        Duration before = CpuTime.of(Stream.of(ProcessHandle.current()));
        long end = before.plusMillis(50).toNanos();
        while (CpuTime.of(Stream.of(ProcessHandle.current())).toNanos() < end) {
            Thread.onSpinWait();
        }
        assertThat(CpuTime.of(Stream.of(ProcessHandle.current()))).isGreaterThan(before);
    }

    @Test
    void the_time_of_ended_children_is_counted() throws Exception {
        long pid = ProcessHandle.current().pid();
        Duration before = CpuTime.ofEndedChildren(pid);
        Program.run("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
        assertThat(CpuTime.ofEndedChildren(pid)).isGreaterThan(before);
    }
}
