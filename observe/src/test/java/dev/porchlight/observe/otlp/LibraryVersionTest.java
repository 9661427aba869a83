// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LibraryVersionTest {
    @Test
    void the_library_has_the_version_of_the_project() throws Exception {
        assertThat(LibraryVersion.TEXT).isEqualTo(projectVersion());
    }

    @Test
    void a_jar_on_the_class_path_has_the_version_of_the_project() throws Exception {
        URL classes = LibraryVersion.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Field text = loader.loadClass(LibraryVersion.class.getName()).getDeclaredField("TEXT");
            assertThat(text.getDeclaringClass()).isNotSameAs(LibraryVersion.class);
            text.setAccessible(true);
            assertThat(text.get(null)).isEqualTo(projectVersion());
        }
    }

    private static String projectVersion() throws Exception {
        return Files.readString(Path.of("pom.xml")).split("<version>|</version>", 3)[1];
    }
}
