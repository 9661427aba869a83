// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The negotiated format of a scrape: the format, its exact content type, and whether the body is gzipped.
 *
 * <p>The supported clause with the highest weight wins. At equal weight, a named type wins over a wildcard,
 * protobuf over OpenMetrics, and OpenMetrics over the text format. A client that accepts neither, such as a browser, gets text 0.0.4 instead of a 406.
 * Responses should carry the header {@code Vary} with {@link #VARY}.
 *
 * @param format the format of the body
 * @param contentType the value of the Content-Type header
 * @param gzip whether the body is gzipped, which requires the header Content-Encoding
 */
public record Negotiation(Format format, String contentType, boolean gzip) {
    /** The value of the Vary header. */
    public static final String VARY = "Accept, Accept-Encoding";

    private static final Comparator<Offer> PREFERENCE = Comparator.comparingDouble(
                    (Offer offer) -> offer.clause().weight())
            .thenComparingInt(Offer::precision)
            .thenComparing(Offer::format);

    /** A clause of the Accept header and the format that satisfies it. */
    private record Offer(AcceptClause clause, Format format, int precision) {}

    /** Negotiates from the two headers. Repeated headers are joined by commas; absent ones are null. */
    public static Negotiation of(@Nullable String accept, @Nullable String acceptEncoding) {
        boolean gzip = gzip(AcceptClause.parse(acceptEncoding));
        Offer best = AcceptClause.parse(accept).stream()
                .filter(clause -> clause.weight() > 0)
                .map(Negotiation::offer)
                .filter(offer -> offer.precision() >= 0)
                .max(PREFERENCE)
                .orElse(null);
        if (best == null || best.format() == Format.TEXT) {
            return new Negotiation(Format.TEXT, Format.TEXT.contentType(), gzip);
        }
        // The response repeats the escaping parameter if the client sent it. Our names never need escaping.
        String escaping = best.clause().has("escaping") ? "; escaping=underscores" : "";
        return new Negotiation(best.format(), best.format().contentType() + escaping, gzip);
    }

    /** A precision below zero marks an unsupported clause: an unknown type or version. */
    private static Offer offer(AcceptClause clause) {
        return switch (clause.value()) {
            case "application/openmetrics-text" -> versioned(clause, Format.OPENMETRICS, "1.0.0");
            case "application/vnd.google.protobuf" -> protobuf(clause);
            case "text/plain" -> versioned(clause, Format.TEXT, "0.0.4");
            case "application/*" -> new Offer(clause, Format.OPENMETRICS, 1);
            case "text/*" -> new Offer(clause, Format.TEXT, 1);
            case "*/*" -> new Offer(clause, Format.TEXT, 0);
            default -> new Offer(clause, Format.TEXT, -1);
        };
    }

    private static Offer protobuf(AcceptClause clause) {
        boolean families = clause.parameter("proto", "").equals("io.prometheus.client.MetricFamily")
                && clause.parameter("encoding", "").equals("delimited");
        return new Offer(clause, Format.PROTOBUF, families ? 2 : -1);
    }

    private static Offer versioned(AcceptClause clause, Format format, String version) {
        return new Offer(clause, format, clause.parameter("version", version).equals(version) ? 2 : -1);
    }

    /** Returns whether gzip is accepted, by name or by wildcard, with at least the weight of identity. */
    private static boolean gzip(List<AcceptClause> encodings) {
        double any = weight(encodings, "*", 0);
        double gzip = weight(encodings, "gzip", any);
        return gzip > 0 && gzip >= weight(encodings, "identity", 0);
    }

    private static double weight(List<AcceptClause> clauses, String value, double otherwise) {
        return clauses.stream()
                .filter(clause -> clause.value().equals(value))
                .mapToDouble(AcceptClause::weight)
                .findFirst()
                .orElse(otherwise);
    }
}
