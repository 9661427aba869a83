// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AuditActionDocTest {
    @Test
    void the_page_lists_exactly_the_actions() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("porchlight.root"), "docs/operations/audit-log.md"));
        String actions = page.substring(page.indexOf("## Actions"), page.indexOf("## Verification"));

        assertThat(actions.lines().filter(line -> line.startsWith("| `")).map(line -> line.split("`", -1)[1]))
                .containsExactlyElementsOf(
                        Stream.of(AuditAction.values()).map(AuditAction::code).toList());
    }
}
