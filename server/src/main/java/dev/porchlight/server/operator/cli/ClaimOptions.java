// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.people.Claims;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options that change the claims of a user or a group. */
final class ClaimOptions {
    @Option(
            names = "--claim",
            paramLabel = "NAME=VALUE",
            description =
                    "sets a claim to a string, or to an integer, true, false or an array in JSON; can be repeated")
    private List<String> set = List.of();

    @Option(names = "--remove-claim", paramLabel = "NAME", description = "removes a claim; can be repeated")
    private List<String> removed = List.of();

    boolean isEmpty() {
        return set.isEmpty() && removed.isEmpty();
    }

    /** The change as the API would read it. */
    String json() {
        Map<String, String> members = new LinkedHashMap<>();
        for (String claim : set) {
            int end = claim.indexOf('=');
            if (end < 0) {
                throw new IllegalArgumentException("--claim needs NAME=VALUE, for example --claim team=core");
            }
            String value = claim.substring(end + 1);
            members.put(
                    requireName(claim.substring(0, end)),
                    value.matches("(?s)-?\\d+|true|false|[\"\\[].*") && JsonObject.isJson(value)
                            ? value
                            : quoted(value));
        }
        removed.forEach(name -> members.put(requireName(name), "null"));
        return members.entrySet().stream()
                .map(member -> '"' + member.getKey() + "\":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String requireName(String name) {
        String fault = Claims.fault(name);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
        return name;
    }

    private static String quoted(String text) {
        String object = JsonWriter.object(json -> json.text("", text));
        return object.substring("{\"\":".length(), object.length() - 1);
    }
}
