// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.util.List;
import java.util.Map;

/**
 * Attributes, by index. A value is a {@code String}, {@code Boolean}, {@code Long}, {@code Double}, {@code byte[]}, a list
 * of these, or nested {@code KeyValues}.
 */
public interface KeyValues {
    int size();

    String key(int index);

    Object value(int index);

    /** Returns a copy of a map of texts. */
    static KeyValues of(Map<String, String> map) {
        List<Map.Entry<String, String>> entries =
                map.entrySet().stream().map(Map.Entry::copyOf).toList();
        return new KeyValues() {
            @Override
            public int size() {
                return entries.size();
            }

            @Override
            public String key(int index) {
                return entries.get(index).getKey();
            }

            @Override
            public Object value(int index) {
                return entries.get(index).getValue();
            }
        };
    }
}
