// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** An exposition format. */
public enum Format {
    /** The Prometheus text format 0.0.4, which every scraper reads. */
    TEXT("text/plain; version=0.0.4; charset=utf-8"),
    /** OpenMetrics 1.0, which carries exemplars. */
    OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8"),
    /** Prometheus's Protocol Buffers, which also carry native histograms. */
    PROTOBUF("application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited");

    private final String contentType;

    Format(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }
}
