// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.DisplayText;
import dev.porchlight.base.JsonTree;
import dev.porchlight.base.JsonWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a command lists or shows: a JSON object for scripts, and the fields and tables of it that people read. The names of
 * members are those of the HTTP API; the labels and the format of values follow from them. Not thread-safe.
 */
final class Listing {
    private static final String NONE = "-";

    private final Map<String, Object> members;
    private final StringBuilder text = new StringBuilder();

    private Listing(Map<String, Object> members) {
        this.members = members;
    }

    static Listing of(Consumer<JsonWriter> members) {
        return new Listing(JsonTree.parse(JsonWriter.object(members)));
    }

    /** A list of objects of the HTTP API, and its table. The other parameters are those of {@link #table}. */
    static <T> Listing of(
            String name, List<T> rows, BiConsumer<T, JsonWriter> writer, String otherwise, String... columns) {
        return of(json -> json.objects(name, rows, (member, row) -> writer.accept(row, member)))
                .table("", name, otherwise, columns);
    }

    /** An object of the HTTP API. */
    static Listing of(Map<String, Object> members) {
        return new Listing(members);
    }

    String json() {
        return JsonTree.write(members);
    }

    String text() {
        return text.toString();
    }

    /** The rows of a table, which can be changed. */
    @SuppressWarnings("unchecked") // names are strings
    List<Map<String, Object>> rows(String name) {
        return (List<Map<String, Object>>) (List<?>) values(name);
    }

    private List<?> values(String name) {
        return members.get(name) instanceof List<?> list ? list : List.of();
    }

    /**
     * Shows a line for each value of these members. A name may have another label, as in {@code lastUsedAt=last sign-in}.
     *
     * @param names may end with {@code |} and the text for an absent or empty value, which has no line otherwise
     */
    Listing fields(String... names) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String name : names) {
            String[] parts = name.split("\\|", 2);
            List<String> values = shown(parts[0], members);
            fields.put(label(parts[0]), values.isEmpty() && parts.length == 2 ? List.of(parts[1]) : values);
        }
        List<List<String>> lines = new ArrayList<>();
        fields.forEach((label, values) -> {
            for (int i = 0; i < values.size(); i++) {
                lines.add(List.of(i == 0 ? label : "", values.get(i)));
            }
        });
        align(lines);
        return this;
    }

    /**
     * Shows an array of objects, with these members as columns, whose names may have labels as in {@link #fields}. A column
     * may combine members: {@code reason+operator=details}.
     *
     * @param title of the table; empty if there is nothing else
     * @param otherwise a sentence for an empty array
     */
    Listing table(String title, String name, String otherwise, String... columns) {
        if (!title.isEmpty()) {
            text.append('\n').append(title).append('\n');
        }
        if (values(name).isEmpty()) {
            text.append(otherwise).append('\n');
            return this;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(Stream.of(columns)
                .map(column -> label(column).toUpperCase(Locale.ROOT))
                .toList());
        for (Map<String, Object> row : rows(name)) {
            lines.add(Stream.of(columns)
                    .map(column -> shown(column, row))
                    .map(values -> values.isEmpty() ? NONE : String.join(", ", values))
                    .toList());
        }
        align(lines);
        return this;
    }

    /** Adds a sentence. */
    Listing note(String sentence) {
        text.append(sentence).append('\n');
        return this;
    }

    private void align(List<List<String>> lines) {
        int[] widths = new int[lines.isEmpty() ? 0 : lines.get(0).size() - 1]; // the last column has no padding
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], length(line.get(column)));
            }
        }
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                String cell = line.get(column);
                text.append(cell).append(" ".repeat(widths[column] - length(cell) + 2));
            }
            text.append(line.get(widths.length)).append('\n');
        }
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    /** {@code last used} for {@code lastUsedAt}. */
    private static String label(String name) {
        return name.contains("=")
                ? name.substring(name.indexOf('=') + 1)
                : name.replaceFirst("(At|Seconds)$", "")
                        .replaceAll("([A-Z])", " $1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\bid\\b", "ID")
                        .replaceAll("\\buri", "URI");
    }

    private static List<String> shown(String column, Map<String, Object> row) {
        return Stream.of(column.split("=", 2)[0].split("\\+"))
                .flatMap(name -> shown(name, row.get(name)).stream())
                .toList();
    }

    private static List<String> shown(String name, @Nullable Object value) {
        if (value == null || value.equals("")) {
            return List.of();
        }
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(member -> DisplayText.visible(member.toString()))
                    .toList();
        }
        if (value instanceof List<?> list) {
            return list.stream()
                    .map(each -> DisplayText.visible(each.toString()))
                    .toList();
        }
        if (value instanceof Long number && name.matches("at|.*(At|Time|From|Until)")) {
            return List.of(
                    Instant.ofEpochMilli(number).truncatedTo(ChronoUnit.SECONDS).toString());
        }
        if (value instanceof Long seconds && name.endsWith("Seconds")) {
            return List.of(
                    seconds % 3_600 == 0
                            ? seconds / 3_600 + " h"
                            : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s");
        }
        return List.of(
                value instanceof Boolean flag ? (flag ? "yes" : "no") : DisplayText.visible(String.valueOf(value)));
    }
}
