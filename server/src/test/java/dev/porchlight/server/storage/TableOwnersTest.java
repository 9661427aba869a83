// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which classes have statements of a table, beside those that create it. The storage page names them, the owner first. */
class TableOwnersTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\"\n]*\n", Pattern.DOTALL);
    private static final Pattern SECTION = Pattern.compile("### `([a-z_]+)`\n.*?\nStatements: ([^.]*)", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    /** They create the tables, or name one only in a text. */
    private static final Set<String> EXCEPT =
            Set.of("Migration", "ServerTables", "StorageCheck", "UnreadableRows", "CeremonyMeters");

    @Test
    void the_page_names_the_classes_with_statements_of_each_table() throws IOException {
        Map<String, Set<String>> described = described();

        assertThat(named(described.keySet())).isEqualTo(described);
    }

    private static Map<String, Set<String>> described() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/operations/storage.md"));
        Map<String, Set<String>> tables = new TreeMap<>();
        for (MatchResult section : SECTION.matcher(page.substring(page.indexOf("\n## Tables")))
                .results()
                .toList()) {
            Set<String> classes = new TreeSet<>();
            NAME.matcher(section.group(2)).results().forEach(found -> classes.add(found.group(1)));
            tables.put(section.group(1), classes);
        }
        return tables;
    }

    /** The classes that name each table in their code. */
    private static Map<String, Set<String>> named(Set<String> tables) throws IOException {
        Map<String, Set<String>> named = new TreeMap<>();
        for (String module : List.of("base", "passkey", "server", "spring-boot-starter")) {
            List<Path> files;
            try (Stream<Path> all = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
                files = all.filter(file -> file.toString().endsWith(".java")).toList();
            }
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".java", "");
                String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
                for (String table : tables) {
                    boolean found =
                            Pattern.compile("\\b" + table + "\\b").matcher(code).find();
                    if (found && !EXCEPT.contains(name)) {
                        named.computeIfAbsent(table, key -> new TreeSet<>()).add(name);
                    }
                }
            }
        }
        return named;
    }
}
