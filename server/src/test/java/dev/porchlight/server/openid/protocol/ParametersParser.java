// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.openid.RequestParser;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The parser of queries and forms. */
public enum ParametersParser implements RequestParser {
    PARAMETERS;

    @Override
    public void read(String text) throws RefusedException {
        Map<String, List<String>> map = Parameters.parse(text).toMap();
        String again = map.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(value -> encode(entry.getKey()) + '=' + encode(value)))
                .collect(Collectors.joining("&"));
        assertThat(Parameters.parse(again).toMap()).isEqualTo(map);
        assertThat(map.toString().chars().noneMatch(Character::isISOControl)).isTrue();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
