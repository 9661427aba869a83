// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AttributesTest {
    @Test
    void java_values_are_converted_to_otlp_types() {
        Map<String, Object> given = new LinkedHashMap<>();
        given.put("int", 1);
        given.put("short", (short) 2);
        given.put("byte", (byte) 3);
        given.put("float", 0.5f);
        given.put("char", 'c');
        given.put("builder", CharBuffer.wrap("text"));
        given.put("enum", TimeUnit.SECONDS);
        given.put("decimal", new BigDecimal("1.10"));
        given.put("uri", URI.create("http://a"));
        given.put("path", Path.of("a/b"));
        given.put("ints", new int[] {1, 2});
        given.put("texts", new String[] {"a", null});
        given.put("map", Map.of("inner", List.of(true)));
        given.put("null", null);
        Map<String, Object> kept = new LinkedHashMap<>();
        Attributes.of(given).forEach(kept::put);

        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("int", 1L);
        expected.put("short", 2L);
        expected.put("byte", 3L);
        expected.put("float", 0.5);
        expected.put("char", "c");
        expected.put("builder", "text");
        expected.put("enum", "SECONDS");
        expected.put("decimal", "1.10");
        expected.put("uri", "http://a");
        expected.put("path", Path.of("a/b").toString());
        expected.put("ints", List.of(1L, 2L));
        expected.put("texts", List.of("a", "null"));
        expected.put("map", Attributes.of("inner", List.of(true)));
        assertThat(kept).containsExactlyEntriesOf(expected);
    }

    @Test
    void the_last_value_of_a_name_wins_and_empty_names_are_ignored() {
        assertThat(Attributes.of("a", 1, "b", 2, "a", 3)).hasToString("{a=3, b=2}");
        assertThat(Attributes.of("a", 1).with("b", 2).with("a", 3)).isEqualTo(Attributes.of("a", 3, "b", 2));
        assertThat(Attributes.of("", 1, "b", null)).isSameAs(Attributes.none());
        Map<String, Object> map = new HashMap<>();
        map.put(null, 1);
        assertThat(Attributes.of(map).size()).isZero();
    }

    @Test
    void attributes_are_compared_by_content() {
        assertThat(Attributes.of("a", new byte[] {1}))
                .isEqualTo(Attributes.of("a", new byte[] {1}))
                .hasSameHashCodeAs(Attributes.of("a", new byte[] {1}))
                .isNotEqualTo(Attributes.of("a", new byte[] {2}))
                .isNotEqualTo("a");
    }

    @Test
    void containers_are_copied() {
        List<Object> list = new ArrayList<>(List.of("a"));
        byte[] bytes = {1};
        Attributes attributes = Attributes.of("list", list, "bytes", bytes);
        list.add("b");
        bytes[0] = 2;
        assertThat(attributes).isEqualTo(Attributes.of("list", List.of("a"), "bytes", new byte[] {1}));
    }

    @Test
    void cyclic_containers_and_throwing_values_are_tolerated() {
        List<Object> wide = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            wide.add(wide);
        }
        Map<String, Object> deep = new HashMap<>();
        deep.put("self", deep);
        Object hostile = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("secret");
            }
        };
        Attributes attributes = Attributes.of("wide", wide, "deep", deep, "hostile", hostile);
        assertThat(attributes.toString())
                .contains("hostile=!error: java.lang.IllegalStateException")
                .contains("[cut]");
        assertThat(attributes.toString().length()).isLessThan(100_000);
    }

    @Test
    @SuppressWarnings("ToStringReturnsNull") // the fault that is to be survived
    void nulls_are_never_stored() {
        Object nothing = new Object() {
            @Override
            public String toString() {
                return null;
            }
        };
        assertThat(Attributes.of("a", nothing, "b", List.of(nothing), "c", Arrays.asList("x", null)))
                .isEqualTo(Attributes.of("a", "null", "b", List.of("null"), "c", List.of("x", "null")));
    }

    @Test
    void nested_attributes_are_bounded() {
        Attributes nested = Attributes.of("end", 1);
        for (int i = 0; i < 10_000; i++) {
            nested = Attributes.of("in", nested);
        }
        assertThat(nested).hasToString("{in=".repeat(9) + "[cut]" + "}".repeat(9));
    }

    @Test
    void copied_containers_are_bounded() {
        Attributes attributes = Attributes.of("zeros", new int[1_000_000]);
        assertThat((List<?>) attributes.value(0)).hasSize(1024);
        attributes = Attributes.of("list", Arrays.asList(new Object[5000]));
        assertThat((List<?>) attributes.value(0)).hasSize(1024);
    }
}
