// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.lang.management.ManagementFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of the memory that hostile input can allocate, measured by the JVM. */
class HostileInputTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5affffffff", "5b0000000100000000", "5b7fffffffffffffff", "5bffffffffffffffff", "7affffffff",
                "9affffffff", "9b0000000100000000", "9b7fffffffffffffff", "9bffffffffffffffff", "ba7fffffff",
                "bb0000000100000000", "bb7fffffffffffffff", "bb8000000000000000", "bbffffffffffffffff"
            })
    void T33_a_length_alone_does_not_allocate(String prefix) {
        Bytes cbor = Bytes.ofHex(prefix + "00".repeat(16));
        assertThat(allocatedBy(() -> CborReader.read(cbor, "item"))).isLessThan(4_096);
    }

    @Test
    void T33_nested_lengths_alone_do_not_allocate() {
        Bytes cbor = Bytes.ofHex("99ffff".repeat(8) + "00".repeat(65_536 - 24));
        assertThat(allocatedBy(() -> CborReader.read(cbor, "item"))).isLessThan(8_000_000);
    }

    @Test
    void T33_the_busiest_64_kibibytes_cost_a_few_megabytes() {
        Bytes integers = Bytes.ofHex("99fffd" + "00".repeat(0xfffd));
        assertThat(allocatedBy(() -> CborReader.read(integers, "item"))).isLessThan(8_000_000);
        Bytes emptyMaps = Bytes.ofHex("99fffd" + "a0".repeat(0xfffd));
        assertThat(allocatedBy(() -> CborReader.read(emptyMaps, "item"))).isLessThan(8_000_000);
    }

    @Test
    void T43_the_busiest_json_costs_a_few_megabytes() {
        String members = "{\"a\":[" + "{},".repeat(21_000) + "1]}";
        assertThat(allocatedBy(() -> JsonObject.parse(members, "json"))).isLessThan(16_000_000);
    }

    @Test
    void T43_colliding_names_are_parsed() throws MalformedException {
        var json = new StringBuilder("{\"z\":0");
        for (int i = 0; i < 1 << 12; i++) {
            json.append(",\"");
            for (int bit = 0; bit < 12; bit++) {
                json.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            json.append("\":0");
        }
        String colliding = json.substring(0, Math.min(json.length(), 65_000));
        String closed = colliding.substring(0, colliding.lastIndexOf(',')) + "}";
        assertThat(JsonObject.parse(closed, "json").names()).hasSizeGreaterThan(2_000);
    }

    /** Returns the bytes that a call allocates on this thread. The call may only succeed or refuse its input. */
    private static long allocatedBy(ThrowingCallable call) {
        runOrRefuse(call);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        runOrRefuse(call);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static void runOrRefuse(ThrowingCallable call) {
        try {
            call.call();
        } catch (MalformedException refused) {
            assertThat(refused.part()).isNotNull();
        } catch (Throwable other) {
            throw new AssertionError("neither read nor malformed", other);
        }
    }
}
