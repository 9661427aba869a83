// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.JavaSource;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the Java fragments of the guides. */
class GuidesTest {
    private static final String IMPORTS = """
            import dev.porchlight.testkit.*;
            import dev.porchlight.testkit.junit.VirtualPasskey;
            import dev.porchlight.testkit.remote.*;
            import dev.porchlight.testkit.tamper.*;
            import java.util.List;
            import org.junit.jupiter.api.Test;
            import org.junit.jupiter.params.ParameterizedTest;
            import org.junit.jupiter.params.provider.MethodSource;
            """;
    private static final String IN_A_METHOD = """
            class Fragment0 {
                void use(String creationOptionsJson, String requestOptionsJson) {
            %s
                }
            }
            """;
    private static final String IN_A_TEST = """
            abstract class Fragment1 {
                SoftBrowser browser = new SoftBrowser("https://example.com", SoftAuthenticator.securityKey());

                abstract String startRegistration();

                abstract String finishRegistration(String responseJson);

                abstract Verdict assertThat(String response);

                interface Verdict {
                    void isRefused();
                }
            %s
            }
            """;

    private static final String AROUND_A_CLASS = """
            class Fragment3 {
                String creationOptionsJson;
            %s
            }
            """;

    private static final String WITH_A_SERVICE = """
            import dev.porchlight.passkey.*;
            import dev.porchlight.passkey.RegistrationResult.Registered;
            import java.util.List;
            import java.util.Set;

            class Fragment2 {
                void use(PasskeyService passkeys, String json) {
            %s
                }
            }
            """;

    @TempDir
    Path out;

    @Test
    void the_fragments_of_the_library_page_compile() {
        var fragments = Page.read("docs/guides/library.md").blocks("java");

        assertThat(fragments).hasSize(4);
        fragments.forEach(fragment -> new JavaSource("Fragment2", WITH_A_SERVICE.formatted(fragment.code()))
                .compile(System.getProperty("java.class.path"), out));
    }

    @Test
    void the_fragments_of_the_testkit_page_compile() {
        var fragments = Page.read("docs/guides/testkit.md").blocks("java");
        String classPath = System.getProperty("java.class.path");

        assertThat(fragments).hasSize(4);
        new JavaSource(
                        "Fragment0",
                        IMPORTS + IN_A_METHOD.formatted(fragments.get(0).code()))
                .compile(classPath, out);
        new JavaSource(
                        "Fragment3",
                        IMPORTS + AROUND_A_CLASS.formatted(fragments.get(1).code()))
                .compile(classPath, out);
        new JavaSource(
                        "Fragment1",
                        IMPORTS + IN_A_TEST.formatted(fragments.get(2).code()))
                .compile(classPath, out);
        new JavaSource(
                        "Fragment0",
                        IMPORTS + IN_A_METHOD.formatted(fragments.get(3).code()))
                .compile(classPath, out);
    }
}
