// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses an exposition strictly and refuses deviations that real parsers tolerate. */
final class ExpositionParser {
    private static final Pattern META =
            Pattern.compile("# (TYPE|HELP|UNIT) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)", Pattern.DOTALL);
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*)? ?(.*)", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("NaN|[+-]Inf|-?(0|[1-9][0-9]*)(\\.[0-9]+)?(e[+-][0-9]{2,})?");
    private static final Pattern LABEL = Pattern.compile("(?!__)[a-zA-Z_][a-zA-Z0-9_]*");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary");

    private final boolean openMetrics;
    private final List<Exposition.Family> families = new ArrayList<>();
    private final Set<String> closed = new HashSet<>();
    private Map<String, String> meta = new LinkedHashMap<>();
    private String open = "";
    private List<Exposition.Sample> samples = new ArrayList<>();

    private ExpositionParser(boolean openMetrics) {
        this.openMetrics = openMetrics;
    }

    static Exposition parse(String text, Format format) {
        return parse(text.getBytes(StandardCharsets.UTF_8), format);
    }

    static Exposition parse(byte[] bytes, Format format) {
        var parser = new ExpositionParser(format == Format.OPENMETRICS);
        parser.readAll(decode(bytes));
        FamilyRules.check(parser.families, format);
        return new Exposition(parser.families);
    }

    /** Parses a number as Go's ParseFloat does, but only in canonical form. */
    static double number(String text) {
        require(NUMBER.matcher(text).matches(), "not a number: " + text);
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8", e);
        }
    }

    private void readAll(String text) {
        String body = text;
        if (openMetrics) {
            require(body.endsWith("# EOF\n"), "no EOF at the end");
            body = body.substring(0, body.length() - "# EOF\n".length());
        }
        require(body.isEmpty() || body.endsWith("\n"), "last line has no line feed");
        if (!body.isEmpty()) {
            for (String line : body.substring(0, body.length() - 1).split("\n", -1)) {
                readLine(line);
            }
        }
        close();
    }

    private void readLine(String line) {
        require(!line.isEmpty(), "blank line");
        require(!line.endsWith("\r"), "carriage return at the end of a line");
        if (line.startsWith("#")) {
            readMeta(line);
        } else {
            readSample(line);
        }
    }

    private void readMeta(String line) {
        Matcher matcher = META.matcher(line);
        require(matcher.matches(), "comment that is neither TYPE nor HELP nor UNIT: " + line);
        String kind = matcher.group(1);
        require(openMetrics || !kind.equals("UNIT"), "UNIT in text 0.0.4");
        if (!matcher.group(2).equals(open)) {
            close();
            open = matcher.group(2);
            require(closed.add(open), "duplicate family: " + open);
        }
        require(samples.isEmpty(), kind + " after samples of " + open);
        require(!meta.containsKey(kind), "second " + kind + " of " + open);
        require(!openMetrics || meta.isEmpty() || !kind.equals("TYPE"), "TYPE is not first: " + open);
        require(!openMetrics || !kind.equals("UNIT") || !meta.containsKey("HELP"), "UNIT after HELP: " + open);
        meta.put(kind, kind.equals("HELP") ? unescape(matcher.group(3), openMetrics) : matcher.group(3));
    }

    private void close() {
        if (!open.isEmpty()) {
            String type = meta.getOrDefault("TYPE", "");
            require(TYPES.contains(type), "family " + open + " has no known TYPE");
            require(meta.containsKey("HELP"), "family " + open + " has no HELP");
            families.add(new Exposition.Family(
                    open, type, meta.getOrDefault("UNIT", ""), meta.getOrDefault("HELP", ""), samples));
        }
        open = "";
        meta = new LinkedHashMap<>();
        samples = new ArrayList<>();
    }

    private void readSample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        require(matcher.matches(), "not a sample: " + line);
        String name = matcher.group(1);
        int at = name.length();
        Map<String, String> labels = Map.of();
        if (at < line.length() && line.charAt(at) == '{') {
            var reader = new LabelReader(line, at);
            labels = reader.labels();
            at = reader.end();
            require(!labels.isEmpty(), "empty braces: " + line);
        }
        labels.keySet().forEach(label -> require(LABEL.matcher(label).matches(), "bad label name " + label));
        require(at < line.length() && line.charAt(at) == ' ', "no space before the value: " + line);
        String rest = line.substring(at + 1);
        int hash = rest.indexOf(" # ");
        require(hash < 0 || openMetrics, "exemplar in text 0.0.4: " + line);
        String value = hash < 0 ? rest : rest.substring(0, hash);
        require(!value.contains(" "), "timestamp or stray text: " + line);
        number(value);
        Exposition.Exemplar exemplar = hash < 0 ? null : exemplar(rest.substring(hash + 3));
        samples.add(new Exposition.Sample(name, labels, value, exemplar));
        require(!open.isEmpty(), "sample without a family: " + line);
    }

    private static Exposition.Exemplar exemplar(String text) {
        require(text.startsWith("{"), "exemplar without labels: " + text);
        var reader = new LabelReader(text, 0);
        Map<String, String> labels = reader.labels();
        int length = labels.entrySet().stream()
                .mapToInt(e -> e.getKey().codePointCount(0, e.getKey().length())
                        + e.getValue().codePointCount(0, e.getValue().length()))
                .sum();
        require(length <= 128, "exemplar labels of " + length + " code points");
        require(reader.end() < text.length() && text.charAt(reader.end()) == ' ', "exemplar without a value: " + text);
        String[] parts = text.substring(reader.end() + 1).split(" ", -1);
        require(parts.length <= 2, "stray text after an exemplar: " + text);
        if (parts.length == 2) {
            require(parts[1].matches("[0-9]+(\\.[0-9]+)?"), "bad exemplar timestamp " + parts[1]);
        }
        return new Exposition.Exemplar(labels, number(parts[0]), parts.length == 2 ? parts[1] : null);
    }

    /** Resolves the escapes of HELP and refuses any other: {@code \"} exists only in OpenMetrics. */
    private static String unescape(String text, boolean quotes) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            require(c != '"' || !quotes, "bare quote in HELP: " + text);
            if (c == '\\') {
                i++;
                char escaped = i < text.length() ? text.charAt(i) : 0;
                require(escaped == '\\' || escaped == 'n' || quotes && escaped == '"', "bad escape in HELP: " + text);
                out.append(escaped == 'n' ? '\n' : escaped);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
