// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The encoding of values and names. */
class ValueRulesTest {
    private final Captured captured = new Captured();
    private final Logger log = captured.json();

    private Object logged(Object value) {
        log.info("hello", Fields.of("value", value));
        return captured.object().get("value");
    }

    @Test
    void every_value_is_escaped_so_no_line_can_be_injected() {
        String evil = "a\r\n{\"level\":\"fatal\"}\u001b[31m\u2028\u2029\u007f\u0085\u009b\ud800\"\\\t\u0000";
        log.info(evil, new Fields().put(evil, evil).put("nested", Map.of(evil, List.of(evil))));
        String line = captured.text();
        assertThat(line.substring(0, line.length() - 1))
                .doesNotContainPattern("[\\p{Cntrl}\\x{7f}-\\x{9f}\\x{2028}\\x{2029}]");
        assertThat(captured.object()).containsEntry("message", evil.replace('\ud800', '\ufffd'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timestamp",
                "time",
                "level",
                "severity",
                "message",
                "service",
                "trace_id",
                "span_id",
                "trace_flags",
                "exception",
                "stack_trace",
                "truncated",
                "logging.googleapis.com/trace",
                "logging.googleapis.com/insertId"
            })
    void reserved_names_are_renamed_in_calls_and_in_children(String name) {
        log.child(Fields.of(name, "forged too")).info("hello", Fields.of("x", 1));
        log.info("hello", Fields.of(name, "forged"));
        Map<String, Object> bound = StrictJson.object(captured.lines().get(0));
        Map<String, Object> called = StrictJson.object(captured.lines().get(1));
        assertThat(bound).containsEntry("extra." + name, "forged too").doesNotContainEntry(name, "forged too");
        assertThat(called).containsEntry("extra." + name, "forged").doesNotContainEntry(name, "forged");
        assertThat(called).containsEntry("level", "info").containsEntry("message", "hello");
    }

    @Test
    void reserved_names_are_allowed_inside_nested_objects() {
        assertThat(logged(Map.of("level", "high"))).isEqualTo(Map.of("level", "high"));
    }

    @Test
    void nesting_is_cut_at_depth_eight() {
        Object nested = "core";
        for (int i = 0; i < 20; i++) {
            nested = List.of(nested);
        }
        assertThat(String.valueOf(logged(nested))).isEqualTo("[[[[[[[[[too deep]]]]]]]]]");
    }

    @Test
    void eight_levels_are_written_completely() {
        Object nested = "core";
        for (int i = 0; i < 8; i++) {
            nested = Map.of("k", nested);
        }
        assertThat(String.valueOf(logged(nested))).contains("core");
    }

    @Test
    void a_list_is_cut_at_256_elements() {
        List<?> shown = (List<?>) logged(IntStream.range(0, 300).boxed().toList());
        assertThat(shown).hasSize(257);
        assertThat(shown.get(256)).isEqualTo("…[+44]");
    }

    @Test
    void a_map_is_cut_at_256_entries() {
        Map<Integer, Integer> large = new HashMap<>();
        IntStream.range(0, 300).forEach(i -> large.put(i, i));
        Map<?, ?> shown = (Map<?, ?>) logged(large);
        assertThat(shown).hasSize(257);
        assertThat(shown.get("…")).isEqualTo("[+44]");
    }

    @Test
    void the_fields_of_a_line_are_cut_at_256() {
        Fields fields = new Fields();
        IntStream.range(0, 300).forEach(i -> fields.put("k" + i, i));
        log.info("hello", fields);
        assertThat(captured.object())
                .hasSize(4 + 256 + 1)
                .containsKey("k255")
                .doesNotContainKey("k256")
                .containsEntry("truncated", new BigDecimal(44));
    }

    @Test
    void a_string_is_truncated_at_16_kib_and_marked() {
        String shown = (String) logged("x".repeat(20_000));
        assertThat(shown).matches("x+…\\[\\+[0-9]+]");
        int cut = shown.indexOf('…');
        assertThat(cut).isBetween(16 * 1024 - 6, 16 * 1024);
        assertThat(shown).endsWith("…[+" + (20_000 - cut) + "]");
    }

    @Test
    void the_16_kib_limit_counts_escaped_bytes() {
        String shown = (String) logged("\u0000".repeat(10_000));
        assertThat(shown).startsWith("\u0000".repeat(2730) + "…[+7270]");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void a_string_is_never_cut_inside_a_code_point(int offset) {
        String shown = (String) logged("x".repeat(offset) + "😀".repeat(10_000));
        assertThat(shown.substring(0, shown.indexOf('…'))).endsWith("😀").doesNotContain("\ufffd");
    }

    @Test
    void a_long_name_is_truncated() {
        log.info("hello", Fields.of("n".repeat(500), 1));
        assertThat(captured.object()).containsKey("n".repeat(128) + "…[+372]");
    }

    @Test
    void a_line_is_truncated_at_64_kib() {
        Object wide = IntStream.range(0, 300).mapToObj(i -> "\u0000".repeat(50)).toList();
        Object bomb = wide;
        for (int i = 0; i < 7; i++) {
            bomb = Collections.nCopies(256, bomb);
        }
        log.child(Fields.of("bound", bomb))
                .info(
                        "\u0000".repeat(20_000),
                        new Fields().put("a", bomb).put("b", bomb).put("c", "d"));
        assertThat(captured.size()).isLessThanOrEqualTo(64 * 1024);
        assertThat(captured.object()).containsKey("truncated").containsKey("a");
    }

    @Test
    void a_truncated_map_has_no_duplicate_names() {
        for (int shift = 0; shift < 1020; shift++) { // so that the limit is hit at every offset of an entry
            Map<String, Object> inner = new java.util.LinkedHashMap<>();
            inner.put("…", "v".repeat(shift));
            IntStream.range(0, 200).forEach(i -> inner.put("k" + i, "v".repeat(1000)));
            Captured line = new Captured();
            line.json().info("hello", Fields.of("a", inner));
            Map<?, ?> shown = (Map<?, ?>) line.object().get("a");
            assertThat(shown.get("…")).isEqualTo("v".repeat(shift));
            assertThat(shown.size()).isBetween(10, 70);
        }
    }

    @Test
    void binary_is_base64url_and_cut_at_1024_bytes() {
        byte[] bytes = new byte[1500];
        Arrays.fill(bytes, (byte) 0xfb);
        String head = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, 1024));
        assertThat(logged(bytes)).isEqualTo(head + "…[+476]");
    }

    @Test
    void short_binary_is_base64url_without_padding() {
        assertThat(logged(new byte[] {-1, -17, 0})).isEqualTo("_-8A");
    }

    @Test
    void cycles_are_cut() {
        Map<String, Object> map = new HashMap<>();
        List<Object> list = new ArrayList<>();
        map.put("list", list);
        list.add(map);
        list.add("end");
        assertThat(logged(map)).isEqualTo(Map.of("list", List.of("[cycle]", "end")));
    }

    @Test
    void an_array_may_contain_itself() {
        Object[] array = {1, null};
        array[1] = array;
        assertThat(logged(array)).isEqualTo(List.of(new BigDecimal(1), "[cycle]"));
    }

    @Test
    void a_repeated_value_is_not_a_cycle() {
        List<Integer> one = List.of(1);
        assertThat(logged(List.of(one, one))).isEqualTo(List.of(List.of(BigDecimal.ONE), List.of(BigDecimal.ONE)));
    }

    @Test
    void non_finite_numbers_become_strings() {
        assertThat(logged(Arrays.asList(
                        Double.NaN, Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, new BigInteger("9".repeat(30)))))
                .isEqualTo(List.of("NaN", "Infinity", "-Infinity", "9".repeat(30)));
    }

    @Test
    void non_finite_primitives_and_chars_become_strings() {
        log.info("hello", new Fields().put("a", Double.NaN).put("b", 'c'));
        assertThat(captured.object()).containsEntry("a", "NaN").containsEntry("b", "c");
    }

    @Test
    void common_values_keep_their_type() {
        assertThat(logged(Arrays.asList(
                        1,
                        2L,
                        (short) 3,
                        (byte) 4,
                        5.5,
                        6.25f,
                        true,
                        null,
                        'c',
                        new AtomicInteger(7),
                        new AtomicLong(8))))
                .isEqualTo(Arrays.asList(
                        new BigDecimal(1),
                        new BigDecimal(2),
                        new BigDecimal(3),
                        new BigDecimal(4),
                        new BigDecimal("5.5"),
                        new BigDecimal("6.25"),
                        true,
                        null,
                        "c",
                        new BigDecimal(7),
                        new BigDecimal(8)));
    }

    @Test
    void arrays_of_primitives_are_written_as_lists() {
        assertThat(logged(List.of(new int[] {1, 2}, new boolean[] {true}, new double[] {0.5, Double.NaN})))
                .isEqualTo(List.of(
                        List.of(new BigDecimal(1), new BigDecimal(2)),
                        List.of(true),
                        List.of(new BigDecimal("0.5"), "NaN")));
    }

    @Test
    void a_char_array_is_redacted() {
        assertThat(logged("hunter2".toCharArray())).isEqualTo("[redacted]");
    }

    @Test
    void other_objects_are_written_with_toString() {
        assertThat(logged(Path.of("a", "b"))).isEqualTo(Path.of("a", "b").toString());
    }

    @Test
    void a_supplier_is_called_only_when_the_line_is_written() {
        AtomicInteger calls = new AtomicInteger();
        Supplier<Object> supplier = calls::incrementAndGet;
        captured.logger(new LogFormat.Json(), Thresholds.of(Level.WARN)).info("quiet", Fields.of("a", supplier));
        assertThat(calls).hasValue(0);
        assertThat(logged(supplier)).isEqualTo(BigDecimal.ONE);
    }

    @Test
    void a_supplier_that_returns_itself_terminates() {
        Supplier<?>[] self = new Supplier<?>[1];
        self[0] = () -> self[0];
        assertThat(logged(self[0])).isEqualTo("[cycle]");
    }

    @Test
    void a_value_that_throws_is_replaced_by_the_error_and_the_others_stay() {
        Object rude = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("no");
            }
        };
        assertThat(logged(List.of(1, rude, 2)))
                .isEqualTo(List.of(BigDecimal.ONE, "!error: java.lang.IllegalStateException", new BigDecimal(2)));
    }

    @Test
    void a_value_that_overflows_the_stack_is_replaced_by_the_error() {
        Object endless = new Object() {
            @Override
            public String toString() {
                return "x" + this;
            }
        };
        assertThat(logged(endless)).isEqualTo("!error: java.lang.StackOverflowError");
    }

    @Test
    void a_value_whose_toString_is_null_is_written_as_null() {
        Object mute = new Object() {
            @SuppressWarnings("ToStringReturnsNull") // which is the point
            @Override
            public String toString() {
                return null;
            }
        };
        assertThat(logged(mute)).isEqualTo("null");
    }

    @Test
    void a_map_that_fails_halfway_is_replaced_by_the_error() {
        Map<String, Object> failing = new AbstractMap<>() {
            @Override
            public Set<Entry<String, Object>> entrySet() {
                throw new ConcurrentModificationException();
            }
        };
        log.info("hello", Fields.of("a", Map.of("inner", failing), "b", 2));
        assertThat(captured.object())
                .containsEntry("a", Map.of("inner", "!error: java.util.ConcurrentModificationException"))
                .containsEntry("b", new BigDecimal(2));
    }

    @Test
    void a_failing_map_of_fields_is_reported_in_a_field() {
        log.info("hello", Fields.of(new AbstractMap<String, Object>() {
            @Override
            public Set<Entry<String, Object>> entrySet() {
                throw new ConcurrentModificationException();
            }
        }));
        assertThat(captured.object()).containsEntry("fields", "!error: java.util.ConcurrentModificationException");
    }

    @Test
    void nested_keys_that_print_the_same_are_printed_once_and_the_last_wins() {
        Map<Object, Object> map = new java.util.LinkedHashMap<>();
        map.put(1, "first");
        map.put("1", "second");
        map.put(null, "none");
        assertThat(logged(map)).isEqualTo(Map.of("1", "second", "null", "none"));
    }

    @Test
    void nested_keys_with_different_unpaired_surrogates_are_printed_once() {
        assertThat(logged(Map.of("\ud800", 1, "\udbff", 1))).isEqualTo(Map.of("\ufffd", BigDecimal.ONE));
    }

    @Test
    void secrets_are_redacted_by_name_in_calls_children_and_nested_maps() {
        Map<String, Object> headers = Map.of("Set-Cookie", "a=b", "X-Api-Key", "k", "Accept", "*/*");
        log.child(Fields.of("Authorization", "Bearer x"))
                .info("hello", Fields.of("password", "p", "request", Map.of("headers", List.of(headers))));
        assertThat(captured.object())
                .containsEntry("Authorization", "[redacted]")
                .containsEntry("password", "[redacted]")
                .containsEntry(
                        "request",
                        Map.of(
                                "headers",
                                List.of(Map.of(
                                        "Set-Cookie", "[redacted]", "X-Api-Key", "[redacted]", "Accept", "*/*"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "authorization",
                "Proxy-Authorization",
                "cookie",
                "Set-Cookie",
                "password",
                "userPassword",
                "secret",
                "SESSION_SECRET",
                "client_secret",
                "token",
                "access_token",
                "idToken",
                "refreshTokens",
                "ADMIN_TOKEN",
                "challenge",
                "clientDataJSON",
                "CLIENTDATAJSON",
                "authenticatorData",
                "signature",
                "userHandle",
                "http.request.header.authorization",
                "attestationObject",
                "privateKey",
                "apiKey",
                "sessionId"
            })
    void a_secret_is_recognized_by_the_end_of_its_name(String name) {
        assertThat(Secrets.covers(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tokenTtlSeconds", "challengeAgeMs", "signatureValid", "secretary", "cookieCount", "user", ""})
    void a_name_that_only_starts_like_a_secret_is_not_redacted(String name) {
        assertThat(Secrets.covers(name)).isFalse();
    }

    @Test
    void a_secret_value_is_never_rendered() {
        Object untouchable = new Object() {
            @Override
            public String toString() {
                throw new AssertionError("was rendered");
            }
        };
        log.info("hello", Fields.of("token", untouchable, "n", Map.of("token", untouchable)));
        assertThat(captured.text()).doesNotContain("!error");
    }

    @Test
    void more_names_than_the_cache_holds_are_all_printed_correctly() {
        for (int i = 0; i < 3000; i++) {
            log.info("hello", new Fields().put("name" + i, i).put("level", i));
        }
        List<String> lines = captured.lines();
        for (int i = 0; i < 3000; i++) {
            assertThat(lines.get(i)).endsWith("\"name" + i + "\":" + i + ",\"extra.level\":" + i + "}");
        }
    }

    @Test
    void text_outside_the_basic_multilingual_plane_is_preserved() {
        assertThat(logged("héllo 😀 日本")).isEqualTo("héllo 😀 日本");
        assertThat(captured.text().getBytes(StandardCharsets.UTF_8)).hasSize(captured.size());
    }
}
