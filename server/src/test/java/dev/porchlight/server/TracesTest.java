// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The exported trace of a login, from the caller's span down to the statements. */
class TracesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    @ParameterizedTest
    @EnumSource
    void a_login_is_one_trace_from_the_caller_down_to_the_statements(TestDatabase database) throws Exception {
        try (Collector collector = new Collector()) {
            try (Service service = Service.on(database, "OTEL_EXPORTER_OTLP_ENDPOINT", collector.address())) {
                Person person = service.newUser().enroll();
                String assertion = person.assertion();
                service.web()
                        .with("traceparent", "00-" + TRACE + "-" + CALLER + "-01")
                        .post(Person.LOGIN_FINISH + Web.user(person.userId()), assertion)
                        .expect(200);
            } // closing flushes the spans

            List<Span> trace = collector.spans().stream()
                    .filter(span -> hex(span.getTraceId().toByteArray()).equals(TRACE))
                    .toList();
            Span server = only(trace, "POST /auth/passkey/login/finish");
            assertThat(server.getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
            assertThat(hex(server.getParentSpanId().toByteArray())).isEqualTo(CALLER);
            Span login = only(trace, "passkey login");
            assertThat(login.getParentSpanId()).isEqualTo(server.getSpanId());
            assertThat(attribute(login, "passkey.outcome")).isEqualTo("ok");
            assertThat(trace)
                    .filteredOn(span -> !span.equals(server)) // closing may disconnect the client of a sent response
                    .as("no refusal events")
                    .allMatch(span -> span.getEventsCount() == 0);
            assertThat(only(trace, "verify signature").getParentSpanId()).isEqualTo(login.getSpanId());
            assertThat(only(trace, "finish a login").getParentSpanId())
                    .as("challenge, count, session and audit row are written inside the login")
                    .isEqualTo(login.getSpanId());
            assertThat(trace.stream()
                            .flatMap(span -> span.getAttributesList().stream())
                            .map(KeyValue::getKey))
                    .as("nothing is sent twice")
                    .doesNotContain("db.query.text", "passkey.operation");
            assertThat(trace)
                    .filteredOn(span -> span.getKind() == SpanKind.SPAN_KIND_CLIENT)
                    .allSatisfy(sql -> {
                        assertThat(attribute(sql, "db.system.name"))
                                .isEqualTo(database == TestDatabase.SQLITE ? "sqlite" : "postgresql");
                        assertThat(sql.getParentSpanId()).isIn(login.getSpanId(), server.getSpanId());
                        assertThat(sql.getStartTimeUnixNano()).isGreaterThanOrEqualTo(server.getStartTimeUnixNano());
                        assertThat(sql.getEndTimeUnixNano()).isLessThanOrEqualTo(server.getEndTimeUnixNano());
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({"ES256, -7", "EdDSA, -8", "RS256, -257"})
    void the_span_of_a_signature_names_the_algorithm_of_its_key(String label, int number) throws Exception {
        try (Collector collector = new Collector()) {
            try (Service service = Service.on(
                    TestDatabase.SQLITE,
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    collector.address(),
                    "ALGORITHMS",
                    "ES256,EdDSA,RS256")) {
                SoftAuthenticator authenticator =
                        SoftAuthenticator.builder().algorithms(number).build();
                service.newUser(authenticator).enroll().login().expect(200);
            }

            Span signature = only(collector.spans(), "verify signature");
            assertThat(attribute(signature, "crypto.algorithm")).isEqualTo(label);
        }
    }

    @Test
    void a_refused_login_has_one_event_per_verification_step() throws Exception {
        try (Collector collector = new Collector()) {
            try (Service service =
                    Service.on(TestDatabase.SQLITE, "OTEL_EXPORTER_OTLP_ENDPOINT", collector.address())) {
                Person person = service.newUser().enroll();
                String wrong = person.browser()
                        .get(
                                person.loginOptions(),
                                Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off"));
                person.finishLogin(wrong).expect(401);
            }

            Span login = only(collector.spans(), "passkey login");
            assertThat(attribute(login, "passkey.refused_at")).isEqualTo("bad_signature");
            assertThat(login.getEventsList())
                    .extracting(Span.Event::getName)
                    .startsWith("response", "client data", "type", "origin")
                    .endsWith("backup eligibility", "signature")
                    .doesNotContainAnyElementsOf(Stream.of(Step.values())
                            .filter(step -> !step.code().equals(step.label()))
                            .map(Step::code)
                            .toList());
            assertThat(login.getEventsList())
                    .filteredOn(event -> !event.getAttributesList().stream()
                            .filter(attribute -> attribute.getKey().equals("passed"))
                            .allMatch(attribute -> attribute.getValue().getBoolValue()))
                    .extracting(Span.Event::getName)
                    .containsExactly("signature");
        }
    }

    private static Span only(List<Span> trace, String name) {
        List<Span> named =
                trace.stream().filter(span -> span.getName().equals(name)).toList();
        assertThat(named)
                .as(name + " among " + trace.stream().map(Span::getName).toList())
                .hasSize(1);
        return named.get(0);
    }

    private static String attribute(Span span, String key) {
        return span.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals(key))
                .map(KeyValue::getValue)
                .map(value -> value.getStringValue())
                .findFirst()
                .orElse(null);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
