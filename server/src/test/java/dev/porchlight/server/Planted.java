// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Secrets given to or by a service, and the outputs that are searched for them in all encodings. */
final class Planted {
    private final Map<String, Secret> secrets = new LinkedHashMap<>();
    private final List<Sink> sinks = new ArrayList<>();

    /** A secret and the sinks that may contain it. */
    private record Secret(String value, List<String> carriers) {}

    private record Sink(String name, String text) {}

    /** Creates a secret that no sink may contain. */
    String plant(String name) {
        String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        return note(name, "planted-" + name.replaceAll("[^a-z]+", "-") + "-" + random);
    }

    /** Records an existing secret. Sinks whose names start with one of these prefixes may contain it. */
    String note(String name, String value, String... carriers) {
        if (secrets.put(name, new Secret(value, List.of(carriers))) != null) {
            throw new IllegalArgumentException("twice: " + name);
        }
        return value;
    }

    void sink(String name, String text) {
        sinks.add(new Sink(name, text));
    }

    Set<String> names() {
        return secrets.keySet();
    }

    Set<String> values() {
        Set<String> values = new LinkedHashSet<>();
        secrets.values().forEach(secret -> values.add(secret.value()));
        return values;
    }

    /** The names of the sinks that contain a text in any encoding. */
    Set<String> holding(String text) {
        Set<String> holding = new LinkedHashSet<>();
        for (Sink sink : sinks) {
            if (spellings(text).stream().anyMatch(sink.text()::contains)) {
                holding.add(sink.name());
            }
        }
        return holding;
    }

    /** The lines of a sink. */
    Stream<String> lines(String sink) {
        return sinks.stream()
                .filter(each -> each.name().equals(sink))
                .flatMap(each -> each.text().lines());
    }

    /** The leaks, as "secret in sink". */
    List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        secrets.forEach((name, secret) -> holding(secret.value()).stream()
                .filter(sink -> secret.carriers().stream().noneMatch(sink::startsWith))
                .forEach(sink -> leaks.add(name + " in " + sink)));
        return leaks;
    }

    private static Set<String> spellings(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        Set<String> spellings = new LinkedHashSet<>(List.of(
                text,
                URLEncoder.encode(text, StandardCharsets.UTF_8),
                HexFormat.of().formatHex(octets),
                Base64.getEncoder().withoutPadding().encodeToString(octets),
                Base64.getUrlEncoder().withoutPadding().encodeToString(octets)));
        if (text.matches("[A-Za-z0-9_-]{16,}") && text.length() % 4 != 1) {
            byte[] decoded = Base64.getUrlDecoder().decode(text);
            spellings.add(HexFormat.of().formatHex(decoded));
            spellings.add(Base64.getEncoder().withoutPadding().encodeToString(decoded));
        }
        return spellings;
    }
}
