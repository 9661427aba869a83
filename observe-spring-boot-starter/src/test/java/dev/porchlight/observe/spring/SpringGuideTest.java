// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide's section about Spring Boot. */
class SpringGuideTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @Test
    void the_dependencies_are_those_of_the_example() throws IOException {
        List<String> blocks = Pattern.compile("(?s)```xml\n(.*?)```")
                .matcher(guide())
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(1);
        assertThat(Files.readString(ROOT.resolve("examples/observe-spring-boot/pom.xml")))
                .contains(blocks.get(0));
    }

    @Test
    void every_property_is_described_in_the_guide_and_for_editors() throws IOException {
        String metadata;
        try (InputStream file =
                ObserveProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (RecordComponent property : ObserveProperties.class.getRecordComponents()) {
            String name = "porchlight.observe." + property.getName();
            assertThat(guide()).contains("| `" + name + "` |");
            assertThat(metadata)
                    .containsPattern("\"name\": \"" + Pattern.quote(name)
                            + "\",\\s+\"type\": \"[^\"]+\",\\s+\"description\": \"[A-Z]");
        }
    }

    private static String guide() throws IOException {
        return Files.readString(ROOT.resolve("docs/guides/observability/README.md"));
    }
}
