// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The texts of a directory, in one JSON file per language, such as {@code nl.json}. Immutable.
 *
 * @param languages the texts by key, by language tag
 */
public record TextFiles(Map<String, Map<String, String>> languages) {
    static final int MAX_FILES = 50;
    static final int MAX_BYTES = JsonObject.MAX_CHARS;
    static final int MAX_TEXT = 2_000;
    private static final String ENDING = ".json";
    private static final Pattern TAG = Pattern.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}");

    /** Control characters, line and paragraph separators, and characters that change the direction of the page around them. */
    private static final Pattern REFUSED =
            Pattern.compile("[\\p{Cntrl}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]|\\p{Cs}");

    public TextFiles {
        languages = Collections.unmodifiableMap(languages);
    }

    static TextFiles read(String directory) {
        List<Path> files;
        try (Stream<Path> entries = Files.list(Path.of(directory))) {
            files = entries.filter(file -> file.getFileName().toString().endsWith(ENDING))
                    .limit(MAX_FILES + 1L)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException("the directory " + directory + " does not exist or cannot be read");
        }
        if (files.size() > MAX_FILES) {
            throw new IllegalArgumentException("the directory must have at most " + MAX_FILES + " files");
        }
        Map<String, Map<String, String>> languages = new TreeMap<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            String tag = name.substring(0, name.length() - ENDING.length());
            if (!TAG.matcher(tag).matches()) {
                throw new IllegalArgumentException(
                        name + " must be named after a language, such as nl.json or pt-BR.json");
            }
            languages.put(tag, texts(name, Parsers.file(file.toString(), MAX_BYTES + 1)));
        }
        return new TextFiles(languages);
    }

    private static Map<String, String> texts(String name, byte[] content) {
        if (content.length > MAX_BYTES) {
            throw new IllegalArgumentException(name + " must have at most " + MAX_BYTES / 1024 + " KiB");
        }
        Map<String, String> texts = new TreeMap<>();
        try {
            String json = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            JsonObject catalog = JsonObject.parse(json, name);
            for (String key : catalog.names()) {
                String text = catalog.text(key);
                if (text.isBlank()
                        || text.length() > MAX_TEXT
                        || REFUSED.matcher(text).find()) {
                    throw new IllegalArgumentException(name + ": " + key + " must have 1 to " + MAX_TEXT
                            + " characters and no control characters");
                }
                texts.put(key, text);
            }
        } catch (CharacterCodingException | MalformedException e) {
            throw new IllegalArgumentException(name + " must be a JSON object of texts in UTF-8: " + e.getMessage());
        }
        return Collections.unmodifiableMap(texts);
    }

    /** Only the languages, because the texts are long. */
    @Override
    public String toString() {
        return String.join(", ", languages.keySet());
    }
}
