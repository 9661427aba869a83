// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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

/** A documentation page in Markdown. */
record Page(Path file, String text) {
    static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", "data", "src");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^(?:<!-- ([^\n]*) -->\n)?```(\\w*)\n(.*?)^```$");
    private static final Pattern EXPLICIT_ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)|\\b(?:src|href|srcset)=\"([^\"]+)\"");

    /** A fenced block with the comment above it, which may be empty. */
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

    /** Returns all Markdown pages of the repository. */
    static List<Page> all() throws IOException {
        return files(".md", SKIPPED).map(Page::read).toList();
    }

    /** Returns the sorted files of the repository with this suffix, except those in the skipped directories. */
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

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE; // a temporary file of another test
                }
                throw e;
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

    /** Returns the targets of links and images. */
    List<String> links() {
        return LINK.matcher(withoutBlocks().replaceAll("`[^`\n]*`", ""))
                .results()
                .map(link -> link.group(1) == null ? link.group(2) : link.group(1))
                .toList();
    }

    /** Returns the anchors of the page by GitHub's rules. */
    Set<String> anchors() {
        Map<String, Integer> slugs = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(withoutBlocks());
        while (heading.find()) {
            String slug = heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .strip()
                    .replace(' ', '-');
            int before = slugs.merge(slug, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? slug : slug + '-' + before);
        }
        Matcher explicit = EXPLICIT_ANCHOR.matcher(withoutBlocks());
        while (explicit.find()) {
            anchors.add(explicit.group(1));
        }
        return anchors;
    }

    private String withoutBlocks() {
        return BLOCK.matcher(text).replaceAll("");
    }
}
