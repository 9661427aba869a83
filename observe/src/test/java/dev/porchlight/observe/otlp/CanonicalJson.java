// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts the official protobuf classes to OTLP's JSON mapping, independently of our writer. Defaults are left out. */
public final class CanonicalJson {
    private CanonicalJson() {}

    public static Object of(Message message) {
        Map<String, Object> json = new TreeMap<>();
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            Object value = field.isRepeated()
                    ? ((List<?>) entry.getValue())
                            .stream().map(element -> value(field, element)).toList()
                    : value(field, entry.getValue());
            json.put(field.getJsonName(), value);
        }
        return withoutDefaults(json);
    }

    private static Object value(FieldDescriptor field, Object value) {
        if (value instanceof Message message) {
            return of(message);
        }
        if (value instanceof EnumValueDescriptor constant) {
            return new BigDecimal(constant.getNumber());
        }
        if (value instanceof ByteString bytes) {
            return field.getName().endsWith("_id")
                    ? HexFormat.of().formatHex(bytes.toByteArray())
                    : Base64.getEncoder().encodeToString(bytes.toByteArray());
        }
        if (value instanceof Long number) {
            return number.toString();
        }
        if (value instanceof Integer number) {
            return new BigDecimal(number);
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? new BigDecimal(number.toString()) : number.toString();
        }
        return value;
    }

    /** Removes members that have the default value, which both formats may omit. */
    public static Object withoutDefaults(Object json) {
        if (json instanceof List<?> list) {
            return list.stream().map(CanonicalJson::withoutDefaults).toList();
        }
        if (json instanceof Map<?, ?> map) {
            Map<String, Object> kept = new TreeMap<>();
            map.forEach((name, value) -> {
                Object inner = withoutDefaults(value);
                boolean zero = inner instanceof BigDecimal number && number.signum() == 0;
                if (!zero && !List.of("", "0", false, List.of()).contains(inner)) {
                    kept.put((String) name, inner);
                }
            });
            return kept;
        }
        return json;
    }
}
