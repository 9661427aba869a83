// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The selectors and grouping labels of a PromQL query. Parses only the syntax that the project's queries use. */
record PromQl(List<Selector> selectors, Set<String> groupings) {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern WITH_LABELS = Pattern.compile("(" + NAME + ")\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
    private static final Pattern BARE = Pattern.compile("(?<![\\w:.])(" + NAME + ")(?!\\s*\\()(?![\\w:])");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "offset");

    /** A metric with its label matchers. {@code equal} has only the exact matches. */
    record Selector(String metric, Set<String> labels, Map<String, String> equal) {}

    static PromQl parse(String query) {
        List<Selector> selectors = new ArrayList<>();
        WITH_LABELS.matcher(query).results().forEach(found -> selectors.add(selector(found)));
        String rest = WITH_LABELS.matcher(query).replaceAll("0").replaceAll("\\[[^]]*]", " ");
        Set<String> groupings = new HashSet<>();
        GROUPING.matcher(rest)
                .results()
                .forEach(found -> Arrays.stream(found.group(1).split(",", -1))
                        .map(String::strip)
                        .filter(label -> !label.isEmpty())
                        .forEach(groupings::add));
        BARE.matcher(GROUPING.matcher(rest).replaceAll(" "))
                .results()
                .map(found -> found.group(1))
                .filter(name -> !KEYWORDS.contains(name))
                .forEach(name -> selectors.add(new Selector(name, Set.of(), Map.of())));
        return new PromQl(selectors, groupings);
    }

    private static Selector selector(MatchResult found) {
        Set<String> labels = new HashSet<>();
        Map<String, String> equal = new HashMap<>();
        MATCHER.matcher(found.group(2)).results().forEach(matcher -> {
            labels.add(matcher.group(1));
            if (matcher.group(2).equals("=") && !matcher.group(3).startsWith("$")) {
                equal.put(matcher.group(1), matcher.group(3));
            }
        });
        return new Selector(found.group(1), labels, equal);
    }
}
