// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.wire.Truncation;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of a collector's response: the number of rejected items, or the reason of an error. Empty if it is
 * unreadable, because the status code alone decides what happens next.
 *
 * @param message the message for the log, on one line; may be empty
 */
record OtlpResponse(long rejected, String message) {
    private static final OtlpResponse EMPTY = new OtlpResponse(0, "");
    private static final int MAX_MESSAGE = 500;
    private static final Pattern REJECTED =
            Pattern.compile("\"rejected(?:Spans|DataPoints|LogRecords)\"\\s*:\\s*\"?([0-9]{1,18})");
    private static final Pattern MESSAGE =
            Pattern.compile("\"(?:errorMessage|message)\"\\s*:\\s*\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))", Pattern.DOTALL);

    OtlpResponse {
        String line = message.replaceAll("\\p{Cntrl}+", " ").strip();
        message = line.length() <= MAX_MESSAGE ? line : line.substring(0, Truncation.before(line, MAX_MESSAGE));
    }

    static OtlpResponse parse(byte[] body, String contentType) {
        if (body.length == 0) {
            return EMPTY;
        }
        String type = contentType.toLowerCase(Locale.ROOT);
        try {
            if (type.startsWith("application/json")) {
                return json(body);
            }
            return type.startsWith("application/x-protobuf") ? protobuf(ByteBuffer.wrap(body), false) : EMPTY;
        } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            return EMPTY;
        }
    }

    /** {@code {"partialSuccess":{"rejectedSpans":"1","errorMessage":""}}}, or {@code {"code":3,"message":""}}. */
    private static OtlpResponse json(byte[] body) {
        String text = new String(body, UTF_8);
        Matcher rejected = REJECTED.matcher(text);
        Matcher message = MESSAGE.matcher(text);
        return new OtlpResponse(
                rejected.find() ? Long.parseLong(rejected.group(1)) : 0,
                message.find() ? unescaped(message.group(1)) : "");
    }

    /** Resolves JSON's escapes in one pass; all control characters become line feeds, which the constructor replaces. */
    private static String unescaped(String json) {
        return ESCAPE.matcher(json).replaceAll(escape -> {
            String unit = escape.group(1) != null
                    ? String.valueOf((char) Integer.parseInt(escape.group(1), 16))
                    : "bfnrt".contains(escape.group(2)) ? "\n" : escape.group(2);
            return Matcher.quoteReplacement(unit);
        });
    }

    /**
     * A response such as ExportTraceServiceResponse has the partial success in field 1, with the count in its field 1 and the message
     * in its field 2. The Status of an error has a numeric code in field 1 and the message in field 2.
     */
    private static OtlpResponse protobuf(ByteBuffer in, boolean nested) {
        long rejected = 0;
        String message = "";
        while (in.hasRemaining()) {
            int tag = (int) varint(in);
            int field = tag >>> 3;
            long number = 0;
            boolean delimited = (tag & 7) == 2;
            ByteBuffer content = in;
            switch (tag & 7) {
                case 0 -> number = varint(in);
                case 1 -> in.position(in.position() + 8);
                case 2 -> {
                    int length = (int) varint(in);
                    content = in.slice(in.position(), length);
                    in.position(in.position() + length);
                }
                case 5 -> in.position(in.position() + 4);
                default -> throw new IllegalArgumentException("unknown wire type");
            }
            if (field == 1 && delimited && !nested) {
                OtlpResponse partial = protobuf(content, true);
                rejected = partial.rejected;
                message = partial.message;
            } else if (field == 1 && nested) {
                rejected = number;
            } else if (field == 2 && delimited) {
                message = UTF_8.decode(content).toString();
            }
        }
        return new OtlpResponse(rejected, message);
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("varint longer than ten bytes");
    }
}
