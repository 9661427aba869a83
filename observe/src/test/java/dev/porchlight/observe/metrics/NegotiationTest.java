// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content negotiation with the headers of real scrapers. */
class NegotiationTest {
    private static final String PROMETHEUS_2 = "application/openmetrics-text;version=1.0.0,"
            + "application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    private static final String PROMETHEUS_3 = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
            + "application/openmetrics-text;version=0.0.1;q=0.5,"
            + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

    @Test
    void prometheus_2_gets_gzipped_openmetrics() {
        assertThat(Negotiation.of(PROMETHEUS_2, "gzip"))
                .isEqualTo(new Negotiation(Format.OPENMETRICS, Format.OPENMETRICS.contentType(), true));
    }

    @Test
    void prometheus_3_gets_the_escaping_parameter_back() {
        assertThat(Negotiation.of(PROMETHEUS_3, "gzip"))
                .isEqualTo(new Negotiation(
                        Format.OPENMETRICS,
                        "application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores",
                        true));
    }

    @Test
    void prometheus_with_native_histograms_gets_protobuf() {
        String accept = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,"
                + "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        assertThat(Negotiation.of(accept, "gzip"))
                .isEqualTo(new Negotiation(
                        Format.PROTOBUF,
                        "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited",
                        true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/openmetrics-text",
                "Application/OpenMetrics-Text; Version=1.0.0",
                "application/openmetrics-text; version=\"1.0.0\"; note=\"a,b;q=0\"",
                "application/*",
                "*/*, application/openmetrics-text",
                "text/plain;q=0.5, application/openmetrics-text;q=0.500",
                "text/plain;version=0.0.4;q=0.3,application/openmetrics-text;version=1.0.0;q=0.4",
                "application/vnd.google.protobuf;proto=other;encoding=delimited,application/openmetrics-text;q=0.8",
                "application/vnd.google.protobuf;encoding=delimited,application/openmetrics-text;q=0.8"
            })
    void clients_that_prefer_openmetrics_get_it(String accept) {
        assertThat(Negotiation.of(accept, null).format()).isEqualTo(Format.OPENMETRICS);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "*/*",
                "text/*",
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
                "text/plain;version=0.0.4",
                "text/plain;version=1.0.0;escaping=allow-utf-8",
                "text/plain;q=0.9, application/openmetrics-text;q=0.8",
                "application/openmetrics-text;version=0.0.1",
                "application/openmetrics-text;version=2.0.0",
                "application/openmetrics-text;q=0",
                "application/openmetrics-text;q=0.000, */*;q=0.1",
                "application/openmetrics-text;q=2",
                "application/openmetrics-text;q=1.5",
                "application/openmetrics-text;q=high",
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily",
                "image/png",
                ";;,,=;q=",
                "\"application/openmetrics-text"
            })
    void all_other_clients_get_text(String accept) {
        assertThat(Negotiation.of(accept, null))
                .isEqualTo(new Negotiation(Format.TEXT, "text/plain; version=0.0.4; charset=utf-8", false));
    }

    @Test
    void unsupported_text_1_0_0_does_not_win_over_a_supported_clause() {
        String accept = "text/plain;version=1.0.0;q=0.9,application/openmetrics-text;version=1.0.0;q=0.2";
        assertThat(Negotiation.of(accept, null).format()).isEqualTo(Format.OPENMETRICS);
    }

    @Test
    void only_openmetrics_has_exemplars() {
        var registry =
                new MetricRegistry(10, overflow -> {}, misuse -> {}, () -> new SpanContext(1, 2, 3, 1, "", false));
        registry.counter("a_total").help("h").register().inc();
        assertThat(Exposition.text(registry, Format.TEXT)).doesNotContain("trace_id");
        assertThat(Exposition.text(registry, Format.OPENMETRICS)).contains("trace_id");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            delimiter = ';',
            value = {
                "gzip; true",
                "deflate, GZIP, br; true",
                "*; true",
                "identity,gzip; true",
                "gzip|q=0.5; true",
                "gzip|q=1.0, identity| q=0.5, *|q=0; true",
                "null; false",
                "''; false",
                "identity; false",
                "br; false",
                "gzip|q=0; false",
                "gzip|q=0, *; false",
                "identity, gzip|q=0.5; false"
            })
    void gzip_is_used_if_accepted_with_at_least_the_weight_of_identity(String acceptEncoding, boolean gzip) {
        String header = acceptEncoding == null ? null : acceptEncoding.replace('|', ';');
        assertThat(Negotiation.of(null, header).gzip()).isEqualTo(gzip);
    }

    @Test
    void vary_names_both_negotiated_headers() {
        assertThat(Negotiation.VARY).isEqualTo("Accept, Accept-Encoding");
    }

    @Test
    void the_gzipped_body_matches_the_plain_one_and_the_stream_stays_open() throws IOException {
        var registry = new MetricRegistry();
        registry.counter("a_total").help("h").labels("x").register().with("y").inc();
        boolean[] closed = new boolean[1];
        var out = new ByteArrayOutputStream() {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        registry.scrape(Negotiation.of(PROMETHEUS_2, "gzip"), out);
        String body;
        try (var in = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(body).isEqualTo(Exposition.text(registry, Format.OPENMETRICS));
        assertThat(closed[0]).isFalse();

        out.reset();
        registry.scrape(Negotiation.of("*/*", null), out);
        assertThat(out).hasToString(Exposition.text(registry, Format.TEXT));
    }
}
