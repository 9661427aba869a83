// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The property metadata for editors. */
class MetadataTest {
    @Test
    void every_property_is_described() throws IOException {
        String metadata;
        try (InputStream file =
                PorchlightProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Class<?> properties : List.of(PorchlightProperties.class, PorchlightProperties.RelyingParty.class)) {
            for (RecordComponent property : properties.getRecordComponents()) {
                String name = property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
                assertThat(metadata)
                        .containsPattern("\"name\": \"porchlight\\." + name
                                + "\",\\s+\"type\": \"[^\"]+\",\\s+\"description\": \"[A-Z]");
            }
        }
    }
}
