// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a collector's answer says: of a success, how many spans it rejected; of an error, why.
 *
 * <p>An answer that cannot be read says nothing, since the status code already decides what happens next.
 *
 * @param rejected spans not taken
 * @param message for people, made fit for one line of a log; empty when there is none
 */
record OtlpResponse(long rejected, String message) {
    private static final OtlpResponse SILENT = new OtlpResponse(0, "");
    private static final int MAX_MESSAGE = 500;

    OtlpResponse {
        String line = message.replaceAll("\\p{Cntrl}+", " ").strip();
        message = line.length() <= MAX_MESSAGE ? line : (String) AttributeValues.cut(line, MAX_MESSAGE);
    }

    static OtlpResponse parse(byte[] body, String contentType) {
        if (body.length == 0) {
            return SILENT;
        }
        String type = contentType.toLowerCase(Locale.ROOT);
        try {
            if (type.startsWith("application/json")) {
                return json(body);
            }
            return type.startsWith("application/x-protobuf") ? protobuf(body) : SILENT;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return SILENT;
        }
    }

    /** {@code {"partialSuccess":{"rejectedSpans":"1","errorMessage":""}}}, or {@code {"code":3,"message":""}}. */
    private static OtlpResponse json(byte[] body) {
        if (!(JsonReader.read(new String(body, StandardCharsets.UTF_8)) instanceof Map<?, ?> answer)) {
            return SILENT;
        }
        if (answer.get("partialSuccess") instanceof Map<?, ?> partial) {
            return new OtlpResponse(integer(partial.get("rejectedSpans")), text(partial.get("errorMessage")));
        }
        return new OtlpResponse(0, text(answer.get("message")));
    }

    private static long integer(@Nullable Object value) {
        if (value instanceof Double number) {
            return number.longValue();
        }
        return value instanceof String digits ? Long.parseLong(digits) : 0;
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    /**
     * An ExportTraceServiceResponse has the partial success as its field 1, with the count in 1 and the message in 2; the
     * Status of an error has a code, which is a number, in 1 and the message in 2.
     */
    private static OtlpResponse protobuf(byte[] body) {
        ProtoReader answer = ProtoReader.of(body);
        long rejected = 0;
        String message = "";
        while (answer.next()) {
            if (answer.field() == 1 && answer.delimited()) {
                ProtoReader partial = answer.message();
                while (partial.next()) {
                    if (partial.field() == 1 && !partial.delimited()) {
                        rejected = partial.number();
                    } else if (partial.field() == 2 && partial.delimited()) {
                        message = partial.text();
                    }
                }
            } else if (answer.field() == 2 && answer.delimited()) {
                message = answer.text();
            }
        }
        return new OtlpResponse(rejected, message);
    }
}
