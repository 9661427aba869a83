// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation, understood as far as the tests need. */
record Page(Path file, String text) {
    static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    private static final Set<String> ELSEWHERE = Set.of("target", "node_modules", ".git", "data", "src");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^(?:<!-- ([^\n]*) -->\n)?```(\\w*)\n(.*?)^```$");
    private static final Pattern PLACED_ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)|\\b(?:src|href|srcset)=\"([^\"]+)\"");

    /** A fenced block, and what the comment above it says, or nothing. */
    record Block(String note, String language, String code) {}

    static Page read(String name) {
        return read(ROOT.resolve(name));
    }

    static Page read(Path file) {
        try {
            return new Page(file, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every page that is written for people, wherever it lies. */
    static List<Page> all() throws IOException {
        return files(".md", ELSEWHERE).map(Page::read).toList();
    }

    /** The files of the repository whose names end so, sorted; directories of these names are not entered. */
    static Stream<Path> files(String suffix, Set<String> skipped) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return skipped.contains(directory.getFileName().toString()) && !directory.equals(ROOT)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(suffix)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found.stream().sorted();
    }

    String name() {
        return ROOT.relativize(file).toString();
    }

    List<Block> blocks() {
        return BLOCK.matcher(text)
                .results()
                .map(block -> new Block(block.group(1) == null ? "" : block.group(1), block.group(2), block.group(3)))
                .toList();
    }

    List<Block> blocks(String language) {
        return blocks().stream()
                .filter(block -> block.language().equals(language))
                .toList();
    }

    /** Where its links and pictures lead, as they are written. */
    List<String> links() {
        return LINK.matcher(withoutBlocks().replaceAll("`[^`\n]*`", ""))
                .results()
                .map(link -> link.group(1) == null ? link.group(2) : link.group(1))
                .toList();
    }

    /** What may stand behind the # of a link to this page, by the rules of GitHub. */
    Set<String> anchors() {
        Map<String, Integer> met = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(withoutBlocks());
        while (heading.find()) {
            String slug = heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .strip()
                    .replace(' ', '-');
            int before = met.merge(slug, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? slug : slug + '-' + before);
        }
        Matcher placed = PLACED_ANCHOR.matcher(withoutBlocks());
        while (placed.find()) {
            anchors.add(placed.group(1));
        }
        return anchors;
    }

    private String withoutBlocks() {
        return BLOCK.matcher(text).replaceAll("");
    }
}
