// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servlet example of the guide compiles. */
class ServletGuideTest {
    private static final Path GUIDE =
            Path.of(System.getProperty("porchlight.root"), "docs/guides/observability/README.md");
    private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(?=[^`]*class Telemetry )(.*?)```");

    @Test
    void the_servlet_example_compiles(@TempDir Path folder) throws Exception {
        Matcher block = BLOCK.matcher(Files.readString(GUIDE));
        assertThat(block.find()).isTrue();
        Path source = Files.writeString(folder.resolve("Telemetry.java"), block.group(1));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                classPath,
                                "-d",
                                folder.toString(),
                                source.toString()))
                .isZero();
    }
}
