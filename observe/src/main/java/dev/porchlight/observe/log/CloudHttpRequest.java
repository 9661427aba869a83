// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts {@code httpRequest} to the types that Google Cloud expects. Google drops members of any other type. */
final class CloudHttpRequest {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?s");

    private CloudHttpRequest() {}

    /** Returns the request with every known member converted to its type; a member that cannot be converted is omitted. */
    static @Nullable Object typed(@Nullable Object request) {
        Object plain = request instanceof Fields fields ? fields.toMap() : request;
        if (!(plain instanceof Map<?, ?> members) || members.size() > ValueWriter.MAX_ELEMENTS) {
            return request;
        }
        Map<Object, Object> typed = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            Object fitting = value == null ? null : member(String.valueOf(name), value);
            if (fitting != null) {
                typed.put(name, fitting);
            }
        });
        return typed;
    }

    private static @Nullable Object member(String name, Object value) {
        return switch (name) {
            case "status" -> integer(value);
            case "requestSize", "responseSize", "cacheFillBytes" -> {
                Long size = integer(value);
                yield size == null ? null : size.toString();
            }
            case "latency" -> latency(value);
            case "cacheLookup", "cacheHit", "cacheValidatedWithOriginServer" -> value instanceof Boolean ? value : null;
            case "requestMethod", "requestUrl", "userAgent", "remoteIp", "serverIp", "referer", "protocol" ->
                value.toString();
            default -> value;
        };
    }

    private static @Nullable Long integer(Object value) {
        if (value instanceof Number number) {
            return number.longValue();
        }
        try {
            return Long.valueOf(value.toString());
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }

    /** Formats a duration as {@code 0.012s}; a plain number is in seconds. */
    private static @Nullable String latency(Object value) {
        if (value instanceof Duration duration) {
            return seconds(duration);
        }
        if (value instanceof Number number) {
            double seconds = number.doubleValue();
            return seconds >= 0 && seconds < 1e9 ? seconds(Duration.ofNanos((long) (seconds * 1e9))) : null;
        }
        return SECONDS.matcher(value.toString()).matches() ? value.toString() : null;
    }

    private static @Nullable String seconds(Duration duration) {
        if (duration.isNegative()) {
            return null;
        }
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
        return seconds.stripTrailingZeros().toPlainString() + "s";
    }
}
