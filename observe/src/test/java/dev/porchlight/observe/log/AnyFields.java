// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Generates texts, names and values of every kind, biased to edge cases. Deterministic per seed. */
final class AnyFields {
    private static final String PAINFUL =
            "\"\\\r\n\t\u0000\u001b\u007f\u0085\u009b\u2028\u202eé日\ud83d\ude00\ud800\udfff{}[]:,= a";
    private static final List<String> NAMES = List.of(
            "level",
            "message",
            "extra.level",
            "extra.message",
            "trace_id",
            "a",
            "b",
            "…",
            "password",
            "httpRequest",
            "stack_trace",
            "logging.googleapis.com/trace",
            "\ud800",
            "\udc00",
            "truncated",
            "");
    private static final List<String> UNITS = List.of("\u0000", "é", "😀", "\"", "x");

    private final Random random;

    AnyFields(long seed) {
        random = new Random(seed);
    }

    String text() {
        if (random.nextInt(60) == 0) {
            return UNITS.get(random.nextInt(UNITS.size())).repeat(random.nextInt(20_000));
        }
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(30); left > 0; left--) {
            text.append(
                    random.nextBoolean()
                            ? PAINFUL.charAt(random.nextInt(PAINFUL.length()))
                            : (char) random.nextInt(1 + random.nextInt(0x10000)));
        }
        return text.toString();
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int left = random.nextInt(12); left > 0; left--) {
            fields.put(name(), value(0));
        }
        return fields;
    }

    private String name() {
        return random.nextBoolean() ? NAMES.get(random.nextInt(NAMES.size())) : text();
    }

    private Object value(int depth) {
        return switch (random.nextInt(depth < 12 ? 13 : 10)) {
            case 0 -> null;
            case 1 -> random.nextLong();
            case 2 -> random.nextInt(1000);
            case 3 -> Double.longBitsToDouble(random.nextLong());
            case 4 -> Float.intBitsToFloat(random.nextInt());
            case 5 -> random.nextBoolean();
            case 6 -> new byte[random.nextInt(100)];
            case 7 -> new Exception(text());
            case 8 -> random.doubles(random.nextInt(5)).toArray();
            case 9, 10 -> text();
            case 11 -> list(depth);
            default -> map(depth);
        };
    }

    private List<Object> list(int depth) {
        List<Object> list = new ArrayList<>();
        for (int left = size(); left > 0; left--) {
            list.add(random.nextInt(20) == 0 ? list : value(depth + 1));
        }
        return list;
    }

    private Map<Object, Object> map(int depth) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int left = size(); left > 0; left--) {
            map.put(random.nextInt(5) == 0 ? random.nextInt(3) : name(), value(depth + 1));
        }
        return map;
    }

    private int size() {
        return random.nextInt(random.nextInt(50) == 0 ? 400 : 4);
    }
}
