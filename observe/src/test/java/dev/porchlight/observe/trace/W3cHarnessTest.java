// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cases of the W3C trace-context conformance harness, with their original names: each extracts headers, starts a
 * span and checks the injected headers.
 */
class W3cHarnessTest {
    private static final String TRACE = "12345678901234567890123456789012";
    private static final String PARENT = "00-" + TRACE + "-1234567890123456-01";
    private static final String UNSAMPLED = "00-" + TRACE + "-1234567890123456-00";

    static Stream<Arguments> continued() {
        return Stream.of(
                arguments("test_traceparent_included_tracestate_missing", headers("traceparent", PARENT)),
                arguments("test_traceparent_header_name_valid_casing 1", headers("TraceParent", PARENT)),
                arguments("test_traceparent_header_name_valid_casing 2", headers("TrAcEpArEnT", PARENT)),
                arguments("test_traceparent_header_name_valid_casing 3", headers("TRACEPARENT", PARENT)),
                arguments("test_traceparent_version_0xcc 1", headers("traceparent", "cc" + PARENT.substring(2))),
                arguments(
                        "test_traceparent_version_0xcc 2",
                        headers("traceparent", "cc" + PARENT.substring(2) + "-what-the-future-will-be-like")),
                arguments("test_traceparent_ows_handling 1", headers("traceparent", " " + PARENT)),
                arguments("test_traceparent_ows_handling 2", headers("traceparent", "\t" + PARENT)),
                arguments("test_traceparent_ows_handling 3", headers("traceparent", PARENT + " ")),
                arguments("test_traceparent_ows_handling 4", headers("traceparent", PARENT + "\t")),
                arguments("test_traceparent_ows_handling 5", headers("traceparent", "\t " + PARENT + " \t")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("continued")
    void the_trace_is_continued(String name, List<Map.Entry<String, String>> headers) {
        Map<String, String> out = callOut(headers);
        assertThat(out.get("traceparent")).startsWith("00-" + TRACE + "-").doesNotContain("1234567890123456-0");
        assertThat(out).doesNotContainKey("tracestate");
    }

    static Stream<Arguments> restarted() {
        return Stream.of(
                arguments("test_both_traceparent_and_tracestate_missing", headers()),
                arguments(
                        "test_traceparent_duplicated",
                        headers(
                                "traceparent",
                                PARENT.replace(TRACE, TRACE.replace("9012", "9011")),
                                "traceparent",
                                PARENT)),
                arguments("test_traceparent_header_name 1", headers("trace-parent", PARENT)),
                arguments("test_traceparent_header_name 2", headers("trace.parent", PARENT)),
                arguments("test_traceparent_version_0x00 1", headers("traceparent", PARENT + ".")),
                arguments(
                        "test_traceparent_version_0x00 2",
                        headers("traceparent", PARENT + "-what-the-future-will-be-like")),
                arguments(
                        "test_traceparent_version_0xcc 3",
                        headers("traceparent", "cc" + PARENT.substring(2) + ".what-the-future-will-be-like")),
                arguments("test_traceparent_version_0xff", headers("traceparent", "ff" + PARENT.substring(2))),
                arguments(
                        "test_traceparent_version_illegal_characters 1",
                        headers("traceparent", "." + PARENT.substring(1))),
                arguments(
                        "test_traceparent_version_illegal_characters 2",
                        headers("traceparent", "0." + PARENT.substring(2))),
                arguments("test_traceparent_version_too_long 1", headers("traceparent", "0" + PARENT)),
                arguments("test_traceparent_version_too_long 2", headers("traceparent", "00" + PARENT)),
                arguments("test_traceparent_version_too_short", headers("traceparent", PARENT.substring(1))),
                arguments(
                        "test_traceparent_trace_id_all_zero",
                        headers("traceparent", "00-00000000000000000000000000000000-1234567890123456-01")),
                arguments(
                        "test_traceparent_trace_id_illegal_characters 1",
                        headers("traceparent", "00-.2345678901234567890123456789012-1234567890123456-01")),
                arguments(
                        "test_traceparent_trace_id_illegal_characters 2",
                        headers("traceparent", "00-1234567890123456789012345678901.-1234567890123456-01")),
                arguments(
                        "test_traceparent_trace_id_too_long",
                        headers("traceparent", "00-123456789012345678901234567890123-1234567890123456-01")),
                arguments(
                        "test_traceparent_trace_id_too_short",
                        headers("traceparent", "00-1234567890123456789012345678901-1234567890123456-01")),
                arguments(
                        "test_traceparent_parent_id_all_zero",
                        headers("traceparent", "00-" + TRACE + "-0000000000000000-01")),
                arguments(
                        "test_traceparent_parent_id_illegal_characters 1",
                        headers("traceparent", "00-" + TRACE + "-.234567890123456-01")),
                arguments(
                        "test_traceparent_parent_id_illegal_characters 2",
                        headers("traceparent", "00-" + TRACE + "-123456789012345.-01")),
                arguments(
                        "test_traceparent_parent_id_too_long",
                        headers("traceparent", "00-" + TRACE + "-12345678901234567-01")),
                arguments(
                        "test_traceparent_parent_id_too_short",
                        headers("traceparent", "00-" + TRACE + "-123456789012345-01")),
                arguments(
                        "test_traceparent_trace_flags_illegal_characters 1",
                        headers("traceparent", "00-" + TRACE + "-1234567890123456-.0")),
                arguments(
                        "test_traceparent_trace_flags_illegal_characters 2",
                        headers("traceparent", "00-" + TRACE + "-1234567890123456-0.")),
                arguments(
                        "test_traceparent_trace_flags_too_long", headers("traceparent", PARENT.replace("-01", "-001"))),
                arguments(
                        "test_traceparent_trace_flags_too_short", headers("traceparent", PARENT.replace("-01", "-1"))),
                arguments("upper-case hex is not valid", headers("traceparent", PARENT.replace("9012-", "90AB-"))),
                arguments("an empty header is not valid", headers("traceparent", "")),
                arguments("test_tracestate_included_traceparent_missing", headers("tracestate", "foo=1,bar=2")),
                arguments(
                        "an invalid traceparent drops the tracestate",
                        headers("traceparent", PARENT + ".", "tracestate", "foo=1")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("restarted")
    void a_new_trace_is_started_without_the_tracestate(String name, List<Map.Entry<String, String>> headers) {
        Map<String, String> out = callOut(headers);
        assertThat(out.get("traceparent"))
                .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-03")
                .doesNotContain("1234567890123456");
        assertThat(out.get("traceparent").substring(3, 35)).isNotEqualTo("0".repeat(32));
        assertThat(out).doesNotContainKey("tracestate");
    }

    static Stream<Arguments> states() {
        String key = "abcdefghijklmnopqrstuvwxyz0123456789_-*/";
        String value = IntStream.rangeClosed(0x20, 0x7e)
                .filter(c -> c != ',' && c != '=')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        String members = String.join(
                ",",
                IntStream.rangeClosed(1, 32)
                        .mapToObj("bar%02d"::formatted)
                        .map(k -> k + "=" + k.substring(3))
                        .toList());
        return Stream.of(
                state("test_tracestate_included_traceparent_included", "foo=1,bar=2", "foo=1,bar=2"),
                state("test_tracestate_empty_header 1", "", ""),
                state("test_tracestate_empty_header 2", "foo=1", "foo=1", ""),
                state("test_tracestate_empty_header 3", "foo=1", "", "foo=1"),
                state(
                        "test_tracestate_multiple_headers_different_keys",
                        "foo=1,bar=2,rojo=1,congo=2,baz=3",
                        "foo=1,bar=2",
                        "rojo=1,congo=2",
                        "baz=3"),
                state("test_tracestate_duplicated_keys 1", "", "foo=1,foo=1"),
                state("test_tracestate_duplicated_keys 2", "", "foo=1,foo=2"),
                state("test_tracestate_duplicated_keys 3", "", "foo=1", "foo=1"),
                state("test_tracestate_duplicated_keys 4", "", "foo=1", "foo=2"),
                state("test_tracestate_all_allowed_characters 1", key + "=" + value, key + "=" + value),
                state(
                        "test_tracestate_all_allowed_characters 2",
                        key + "@a-z0-9_-*/=" + value,
                        key + "@a-z0-9_-*/=" + value),
                state("test_tracestate_ows_handling 1", "foo=1,bar=2,baz=3", "foo=1 \t , \t bar=2, \t baz=3"),
                state("test_tracestate_ows_handling 2", "foo=1,bar=2,baz=3", "foo=1\t \t,\t \tbar=2,\t \tbaz=3"),
                state("test_tracestate_ows_handling 3", "foo=1", " foo=1"),
                state("test_tracestate_ows_handling 4", "foo=1", "\tfoo=1"),
                state("test_tracestate_ows_handling 5", "foo=1", "foo=1 "),
                state("test_tracestate_ows_handling 6", "foo=1", "foo=1\t"),
                state("test_tracestate_ows_handling 7", "foo=1", "\t foo=1 \t"),
                state("test_tracestate_key_illegal_characters 1", "", "foo =1"),
                state("test_tracestate_key_illegal_characters 2", "", "FOO=1"),
                state("test_tracestate_key_illegal_characters 3", "", "foo.bar=1"),
                state("test_tracestate_key_illegal_vendor_format 2", "", "@foo=1,bar=2"),
                state("test_tracestate_member_count_limit 1", members, members.split("(?<=10),|(?<=20),|(?<=30),")),
                state("test_tracestate_member_count_limit 2", "", members, "bar33=33"),
                state(
                        "test_tracestate_key_length_limit 1",
                        "foo=1," + "z".repeat(256) + "=1",
                        "foo=1",
                        "z".repeat(256) + "=1"),
                state("test_tracestate_key_length_limit 2", "", "foo=1", "z".repeat(257) + "=1"),
                state(
                        "test_tracestate_key_length_limit 3",
                        "foo=1," + "t".repeat(241) + "@" + "v".repeat(14) + "=1",
                        "foo=1",
                        "t".repeat(241) + "@" + "v".repeat(14) + "=1"),
                state("test_tracestate_value_illegal_characters 1", "", "foo=bar=baz"),
                state("test_tracestate_value_illegal_characters 2", "", "foo=,bar=3"),
                state("a value of 256 characters is valid", "foo=" + "v".repeat(256), "foo=" + "v".repeat(256)),
                state("a value of 257 characters is too long", "", "foo=" + "v".repeat(257)),
                state("a value is ASCII", "", "foo=é"),
                state("a member without a value is invalid", "", "foo"),
                // The harness expects these five to be dropped, as Level 1 limits tenants and vendors separately.
                // Level 2 allows @ anywhere but at the start, so they are propagated.
                state("level 2: test_tracestate_key_illegal_vendor_format 1", "foo@=1,bar=2", "foo@=1,bar=2"),
                state("level 2: test_tracestate_key_illegal_vendor_format 3", "foo@@bar=1,bar=2", "foo@@bar=1,bar=2"),
                state(
                        "level 2: test_tracestate_key_illegal_vendor_format 4",
                        "foo@bar@baz=1,bar=2",
                        "foo@bar@baz=1,bar=2"),
                state(
                        "level 2: test_tracestate_key_length_limit 4",
                        "foo=1," + "t".repeat(242) + "@v=1",
                        "foo=1",
                        "t".repeat(242) + "@v=1"),
                state(
                        "level 2: test_tracestate_key_length_limit 5",
                        "foo=1,t@" + "v".repeat(15) + "=1",
                        "foo=1",
                        "t@" + "v".repeat(15) + "=1"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void the_tracestate_is_propagated_or_dropped_and_the_trace_continued(
            String name, String expected, List<Map.Entry<String, String>> headers) {
        Map<String, String> out = callOut(headers);
        assertThat(out.get("traceparent")).startsWith("00-" + TRACE + "-").endsWith("-00");
        assertThat(out.getOrDefault("tracestate", "")).isEqualTo(expected);
    }

    static Stream<Arguments> stateNames() {
        return Stream.of(
                arguments("test_tracestate_header_name_valid_casing 1", "TraceState", true),
                arguments("test_tracestate_header_name_valid_casing 2", "TrAcEsTaTe", true),
                arguments("test_tracestate_header_name_valid_casing 3", "TRACESTATE", true),
                arguments("test_tracestate_header_name 1", "trace-state", false),
                arguments("test_tracestate_header_name 2", "trace.state", false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stateNames")
    void the_tracestate_header_name_is_case_insensitive(String name, String header, boolean known) {
        Map<String, String> out = callOut(headers("traceparent", UNSAMPLED, header, "foo=1"));
        assertThat(out.get("tracestate")).isEqualTo(known ? "foo=1" : null);
    }

    @ParameterizedTest(name = "test_multiple_requests {0}")
    @MethodSource("multiple")
    void each_call_has_its_own_parent_id(String name, List<Map.Entry<String, String>> headers) {
        try (Tracer tracer = Tracers.open(new RecordingSender())) {
            SpanContext parent = extract(headers);
            List<SpanContext> calls = IntStream.range(0, 3)
                    .mapToObj(i -> tracer.start("call", Attributes.none(), parent, SpanKind.CLIENT)
                            .context())
                    .toList();
            assertThat(calls).extracting(SpanContext::spanId).doesNotHaveDuplicates();
            if (parent.valid()) {
                assertThat(calls).extracting(SpanContext::traceIdHex).containsOnly(TRACE);
            }
        }
    }

    static Stream<Arguments> multiple() {
        return Stream.of(
                arguments("with_valid_traceparent", headers("traceparent", PARENT)),
                arguments("without_traceparent", headers()),
                arguments(
                        "with_illegal_traceparent",
                        headers("traceparent", "00-" + "0".repeat(32) + "-1234567890123456-01")));
    }

    private static Arguments state(String name, String expected, String... states) {
        List<Map.Entry<String, String>> headers = new ArrayList<>(headers("traceparent", UNSAMPLED));
        Stream.of(states).forEach(state -> headers.add(Map.entry("tracestate", state)));
        return arguments(name, expected, headers);
    }

    private static List<Map.Entry<String, String>> headers(String... namesAndValues) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(Map.entry(namesAndValues[i], namesAndValues[i + 1]));
        }
        return headers;
    }

    private static SpanContext extract(List<Map.Entry<String, String>> headers) {
        Map<String, List<String>> map = new HashMap<>();
        headers.forEach(header ->
                map.computeIfAbsent(header.getKey(), key -> new ArrayList<>()).add(header.getValue()));
        return new Propagation(false).extract(map);
    }

    private static Map<String, String> callOut(List<Map.Entry<String, String>> headers) {
        Map<String, String> out = new HashMap<>();
        try (Tracer tracer = Tracers.open(new RecordingSender())) {
            Span span = tracer.start("GET", Attributes.none(), extract(headers), SpanKind.SERVER);
            Propagation.inject(span.context(), (name, value) -> out.put(name.toLowerCase(Locale.ROOT), value));
            span.end();
        }
        return out;
    }
}
