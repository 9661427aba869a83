// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/** The environment variables, named as they are set. */
public enum Variable {
    PORT("8080", "port to listen on; 0 takes a free one"),
    HOST("127.0.0.1, or 0.0.0.0 when K_SERVICE is set", "address to listen on"),
    MANAGEMENT_PORT("unset", "port of /metrics and /health/*, which are then served there only; unset: PORT"),
    MAX_BODY_BYTES("65536", "largest request body"),
    SVC_READINESS_DELAY_MS("0", "how long readiness stays down after the start"),
    SHUTDOWN_DELAY_MS(
            "0 on a loopback address, otherwise 3000", "how long requests are still taken after readiness went down"),
    SHUTDOWN_TIMEOUT_MS("10000", "how long requests under way may take to end"),
    LOG_LEVEL("info", "trace, debug, info, warn, error or fatal; also per logger, as info,org.eclipse.jetty=debug"),
    K_SERVICE("unset", "set by Cloud Run: logs in the format of Google Cloud"),
    GOOGLE_CLOUD_PROJECT("unset", "project that traces in the logs belong to"),
    OTEL_SERVICE_NAME("K_SERVICE, or porchlight", "name of this service in logs and traces"),
    OTEL_EXPORTER_OTLP_ENDPOINT(
            "unset: no traces are sent", "base address of the collector, such as http://localhost:4318"),
    OTEL_EXPORTER_OTLP_PROTOCOL("http/protobuf", "http/protobuf or http/json"),
    OTEL_EXPORTER_OTLP_HEADERS("unset", "headers for the collector, as name=value,name=value"),
    OTEL_TRACES_SAMPLER("parentbased_always_on", "which traces are recorded"),
    OTEL_TRACES_SAMPLER_ARG("1.0", "share of traces, for the ratio samplers"),
    OTEL_RESOURCE_ATTRIBUTES("unset", "attributes of this service in traces, as name=value,name=value"),
    OTEL_SDK_DISABLED("false", "true turns tracing off");

    private final String standard;
    private final String meaning;

    Variable(String standard, String meaning) {
        this.standard = standard;
        this.meaning = meaning;
    }

    /** The default, in words. */
    public String standard() {
        return standard;
    }

    public String meaning() {
        return meaning;
    }
}
