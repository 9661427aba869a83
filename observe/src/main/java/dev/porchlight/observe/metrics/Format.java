// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** An exposition format. */
public enum Format {
    /** The Prometheus text format 0.0.4, which every scraper reads. */
    TEXT("text/plain; version=0.0.4; charset=utf-8"),
    /** OpenMetrics 1.0, which carries exemplars. */
    OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    Format(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }
}
