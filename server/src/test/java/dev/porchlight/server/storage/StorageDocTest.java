// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestDatabase;
import dev.porchlight.testkit.contract.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StorageDocTest {
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void the_page_describes_exactly_the_tables_and_columns(TestDatabase kind) throws Exception {
        try (Database database = kind.open(1)) {
            assertThat(described())
                    .isEqualTo(Catalog.read(database.dataSource()).columns());
        }
    }

    /** The columns of each table on the page, in order. */
    private static Map<String, List<String>> described() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("porchlight.root"), "docs/operations/storage.md"));
        Map<String, List<String>> tables = new TreeMap<>();
        List<String> columns = new ArrayList<>();
        for (String line : page.substring(page.indexOf("\n## Tables")).lines().toList()) {
            if (line.startsWith("### `")) {
                columns = new ArrayList<>();
                tables.put(line.split("`", -1)[1], columns);
            } else if (line.startsWith("| `")) {
                columns.add(line.split("`", -1)[1]);
            }
        }
        return tables;
    }
}
