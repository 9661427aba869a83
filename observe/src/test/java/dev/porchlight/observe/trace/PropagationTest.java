// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PropagationTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
    private final Propagation propagation = new Propagation(false);
    private final Propagation cloud = new Propagation(true);

    @Test
    void header_names_are_case_insensitive_values_trimmed_and_duplicates_refused() {
        assertThat(propagation.extract(Map.of("TRACEPARENT", List.of(" \t" + PARENT + "\t "))))
                .isEqualTo(context(1, ""));
        assertThat(propagation.extract(Map.of("traceparent", List.of(PARENT, PARENT))))
                .isEqualTo(SpanContext.NONE);
        assertThat(propagation.extract(Map.of("traceparent", List.of(PARENT), "Traceparent", List.of(PARENT))))
                .isEqualTo(SpanContext.NONE);
        assertThat(propagation.extract(name -> name.equals("traceparent") ? List.of(PARENT) : List.of()))
                .isEqualTo(context(1, ""));
    }

    @ParameterizedTest
    @CsvSource({
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, true",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-, false",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0, false",
        "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, false",
        "00-0af7651916cd43dd8448eb211c80319c-B7ad6b7169203331-01, false",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0A, false",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01, false",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01, false",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, false",
        "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, false",
        "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01, false",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331_01, false",
        "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, false",
    })
    void version_00_is_parsed_strictly(String header, boolean valid) {
        assertThat(propagation.extract(Map.of("traceparent", List.of(header))).valid())
                .isEqualTo(valid);
    }

    @Test
    void ids_with_leading_zeros_or_the_sign_bit_are_preserved() {
        String header = "00-00000000000000010000000000000002-ffffffffffffffff-00";
        SpanContext context = propagation.extract(Map.of("traceparent", List.of(header)));
        assertThat(context).isEqualTo(new SpanContext(1, 2, -1, 0, "", true));
        assertThat(injected(context)).containsEntry("traceparent", header);
    }

    @ParameterizedTest
    @CsvSource({
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, 1",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03-more, 1",
        "fe-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-fe-, 0",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more, -1",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0, -1",
    })
    void a_future_version_is_parsed_as_version_00_and_propagated_as_version_00(String header, int flags) {
        SpanContext context = propagation.extract(Map.of("traceparent", List.of(header)));
        assertThat(context).isEqualTo(flags < 0 ? SpanContext.NONE : context(flags, ""));
        if (flags >= 0) {
            assertThat(injected(context).get("traceparent")).isEqualTo("00-" + TRACE + "-b7ad6b7169203331-0" + flags);
        }
    }

    @Test
    void an_invalid_traceparent_drops_the_tracestate_but_not_the_reverse() {
        assertThat(propagation.extract(Map.of("tracestate", List.of("a=1")))).isEqualTo(SpanContext.NONE);
        assertThat(propagation.extract(Map.of("traceparent", List.of("nonsense"), "tracestate", List.of("a=1"))))
                .isEqualTo(SpanContext.NONE);
        assertThat(propagation.extract(Map.of("traceparent", List.of(PARENT), "tracestate", List.of("A=,=,\u0000"))))
                .isEqualTo(context(1, ""));
    }

    @Test
    void a_new_parent_id_and_only_known_flags_are_sent() {
        String parent = PARENT.replace("-01", "-ff");
        try (Tracer tracer = Tracers.open(new RecordingSender())) {
            SpanContext in = propagation.extract(Map.of("traceparent", List.of(parent)));
            assertThat(in.flags()).isEqualTo(3);
            Span child = tracer.start("child", Attributes.none(), in);
            assertThat(injected(child.context()).get("traceparent"))
                    .isEqualTo("00-" + TRACE + "-" + child.context().spanIdHex() + "-03")
                    .doesNotContain("b7ad6b7169203331");

            SpanContext notRandom = propagation.extract(Map.of("traceparent", List.of(PARENT)));
            assertThat(tracer.start("child", Attributes.none(), notRandom)
                            .context()
                            .flags())
                    .isEqualTo(1);
            assertThat(tracer.start("root", Attributes.none(), SpanContext.NONE)
                            .context()
                            .flags())
                    .isEqualTo(3);
        }
    }

    @Test
    void without_a_span_no_headers_are_sent() {
        assertThat(injected(SpanContext.NONE)).isEmpty();
    }

    @Test
    void a_long_tracestate_is_shortened_by_whole_members_large_ones_first() {
        String large = "large=" + "x".repeat(123);
        String small = "s%02d=" + "y".repeat(46);
        StringBuilder tail = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            tail.append(',').append(small.formatted(i));
        }
        String kept = tail.substring(1);
        assertThat(kept).hasSize(509);
        assertThat(state(kept)).as("nothing is dropped up to 512 characters").isEqualTo(kept);
        assertThat(state(large + tail))
                .as("a member of more than 128 characters")
                .isEqualTo(kept);
        assertThat(state("large=" + "x".repeat(122) + tail))
                .as("a member of 128 characters is not large, so the end of the list is dropped")
                .isEqualTo("large=" + "x".repeat(122) + tail.substring(0, 7 * 51));
        assertThat(state("a=1," + large + ",b=" + "z".repeat(200) + ",c=" + "z".repeat(200) + ",d=1"))
                .as("no more is dropped than necessary")
                .isEqualTo("a=1," + large + ",b=" + "z".repeat(200) + ",d=1");
    }

    @Test
    void empty_members_are_allowed() {
        assertThat(state("a=1,, ,b=2,")).isEqualTo("a=1,b=2");
    }

    @Test
    void the_callers_sampling_is_followed_or_a_new_trace_links_to_it() {
        SpanContext sampled = propagation.extract(Map.of("traceparent", List.of(PARENT)));
        RecordingSender sender = new RecordingSender();
        try (Tracer tracer = Tracers.open(Map.of("OTEL_TRACES_SAMPLER", "always_off"), sender)) {
            Span span = tracer.start("GET", Attributes.none(), sampled);
            assertThat(span.recording())
                    .as("the caller's flag does not force recording")
                    .isFalse();
            assertThat(span.context().sampled()).isFalse();
        }
        List<Span> spans =
                Tracers.ended(tracer -> tracer.start("GET", Attributes.none(), SpanContext.NONE, SpanKind.SERVER)
                        .link(sampled)
                        .end());
        assertThat(spans.get(0).context().traceIdHex()).isNotEqualTo(TRACE);
        assertThat(spans.get(0).endDetails().links)
                .extracting(SpanDetails.Link::context)
                .containsExactly(sampled);
    }

    @Test
    void the_cloud_header_is_used_only_on_the_cloud_and_without_a_traceparent() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("x-cloud-trace-context", List.of(TRACE + "/1311768467463790320;o=1"));
        SpanContext expected =
                new SpanContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0x123456789abcdef0L, 1, "", true);
        assertThat(propagation.extract(headers)).isEqualTo(SpanContext.NONE);
        assertThat(cloud.extract(headers)).isEqualTo(expected);
        headers.put("traceparent", List.of(PARENT));
        assertThat(cloud.extract(headers)).isEqualTo(context(1, ""));
        headers.put("traceparent", List.of("broken"));
        assertThat(cloud.extract(headers))
                .as("an invalid traceparent is not a missing one")
                .isEqualTo(SpanContext.NONE);
    }

    @ParameterizedTest
    @CsvSource({"/1;o=1, 1", "/1;o=0, 0", "/1, 0", "/18446744073709551615;o=1, 1"})
    void the_sampling_option_of_the_cloud_header_is_parsed(String rest, int flags) {
        assertThat(cloud.extract(Map.of("X-Cloud-Trace-Context", List.of(TRACE + rest)))
                        .flags())
                .isEqualTo(flags);
        assertThat(cloud.extract(Map.of("X-Cloud-Trace-Context", List.of(TRACE + rest)))
                        .valid())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/0;o=1", "/18446744073709551616;o=1", "/x;o=1", ";o=1", "/1;o=", "/1;o=1x"})
    void a_malformed_cloud_header_is_ignored(String rest) {
        assertThat(cloud.extract(Map.of("X-Cloud-Trace-Context", List.of(TRACE + rest))))
                .isEqualTo(SpanContext.NONE);
    }

    @Property
    void arbitrary_headers_never_throw_and_yield_only_valid_contexts(
            @ForAll String parent, @ForAll List<String> states) {
        for (String header : List.of(parent, PARENT)) {
            SpanContext context = cloud.extract(Map.of(
                    "traceparent", List.of(header), "tracestate", states, "x-cloud-trace-context", List.of(parent)));
            assertThat(context.traceState().chars()).allMatch(c -> c >= 0x20 && c < 0x7f);
            assertThat(context.traceState().length()).isLessThanOrEqualTo(512);
        }
    }

    private String state(String header) {
        return propagation
                .extract(Map.of("traceparent", List.of(PARENT), "tracestate", List.of(header)))
                .traceState();
    }

    private static SpanContext context(int flags, String state) {
        return new SpanContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, flags, state, true);
    }

    private static Map<String, String> injected(SpanContext context) {
        Map<String, String> headers = new HashMap<>();
        Propagation.inject(context, headers::put);
        return headers;
    }
}
