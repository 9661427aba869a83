// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.lang.module.ModuleDescriptor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated // uses the global logger
class JdkLoggerFinderTest {
    private final Captured captured = new Captured();
    private final Logger installed = captured.logger(
            new LogFormat.Json(),
            new Thresholds(
                    dev.porchlight.observe.log.Level.DEBUG, Map.of("quiet", dev.porchlight.observe.log.Level.ERROR)));
    private final System.Logger log = System.getLogger("my.name");

    @BeforeEach
    void install() {
        JdkLoggerFinder.install(installed);
    }

    @AfterEach
    void uninstall() {
        JdkLoggerFinder.uninstall(installed);
    }

    @Test
    void the_jdk_finds_the_provider() {
        assertThat(System.LoggerFinder.getLoggerFinder()).isInstanceOf(JdkLoggerFinder.class);
    }

    @Test
    void the_library_does_not_register_itself_as_a_provider() throws Exception {
        Path classes = Path.of(JdkLoggerFinder.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(classes.resolve("META-INF/services/java.lang.System$LoggerFinder"))
                .doesNotExist();
        try (InputStream descriptor = Files.newInputStream(classes.resolve("module-info.class"))) {
            assertThat(ModuleDescriptor.read(descriptor).provides()).isEmpty();
        }
    }

    @Test
    void lines_of_system_loggers_go_to_the_installed_logger_with_their_name() {
        log.log(Level.WARNING, "hello");
        assertThat(captured.object())
                .containsEntry("level", "warn")
                .containsEntry("message", "hello")
                .containsEntry("logger", "my.name")
                .containsEntry("service", "auth");
        assertThat(log.getName()).isEqualTo("my.name");
    }

    @Test
    void lines_after_the_installed_logger_have_its_service() {
        JdkLoggerFinder.uninstall(installed);
        assertThat(JdkLoggerFinder.target()).isNotSameAs(installed);
        assertThat(JdkLoggerFinder.target().service()).isEqualTo("auth");
    }

    @Test
    void lines_logged_by_the_jdk_itself_arrive() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.start();
        server.stop(0);
        assertThat(captured.lines())
                .isNotEmpty()
                .allSatisfy(
                        line -> assertThat(StrictJson.object(line)).containsEntry("logger", "com.sun.net.httpserver"));
    }

    @Test
    void parameters_are_filled_in_and_a_bad_pattern_is_printed_unchanged() {
        log.log(Level.INFO, "{0} of {1}", 1, "two");
        log.log(Level.INFO, "{0} of {", 1);
        log.log(Level.INFO, "{0} untouched");
        assertThat(captured.lines().get(0)).contains("\"1 of two\"");
        assertThat(captured.lines().get(1)).contains("\"{0} of {\"");
        assertThat(captured.lines().get(2)).contains("\"{0} untouched\"");
    }

    @Test
    void messages_are_localized_from_their_bundle_if_it_has_them() {
        ResourceBundle bundle = new ListResourceBundle() {
            @Override
            protected Object[][] getContents() {
                return new Object[][] {{"greeting", "hello {0}"}, {"number", 1}};
            }
        };
        log.log(Level.INFO, bundle, "greeting", "you");
        log.log(Level.INFO, bundle, "missing", (Throwable) null);
        log.log(Level.INFO, bundle, "number", (Throwable) null);
        assertThat(captured.lines().get(0)).contains("\"hello you\"");
        assertThat(captured.lines().get(1)).contains("\"missing\"");
        assertThat(captured.lines().get(2)).contains("\"number\"");
    }

    @Test
    void exceptions_are_logged_with_their_stack() {
        log.log(Level.ERROR, "failed", new IllegalStateException("x"));
        log.log(Level.ERROR, () -> "failed", new IllegalStateException("x"));
        assertThat(captured.lines()).hasSize(2).allMatch(line -> line.contains("\"stack_trace\":\"java.lang.Illegal"));
    }

    @Test
    void suppliers_and_objects_are_evaluated_only_for_enabled_levels_and_may_throw() {
        Supplier<String> rude = () -> {
            throw new IllegalStateException();
        };
        log.log(Level.TRACE, rude);
        log.log(Level.INFO, rude);
        log.log(Level.INFO, (Object) List.of("object"));
        assertThat(captured.lines()).hasSize(2);
        assertThat(captured.lines().get(0)).contains("!error: java.lang.IllegalStateException");
        assertThat(captured.lines().get(1)).contains("\"[object]\"");
    }

    @Test
    void levels_are_checked_by_name() {
        System.Logger quiet = System.getLogger("quiet.one");
        assertThat(quiet.isLoggable(Level.WARNING)).isFalse();
        assertThat(quiet.isLoggable(Level.ERROR)).isTrue();
        assertThat(log.isLoggable(Level.DEBUG)).isTrue();
        assertThat(log.isLoggable(Level.TRACE)).isFalse();
        assertThat(log.isLoggable(Level.ALL)).isFalse();
        assertThat(log.isLoggable(Level.OFF)).isFalse();
    }

    @Test
    void an_existing_logger_forwards_to_a_newly_installed_one() {
        log.log(Level.INFO, "one");
        Captured second = new Captured();
        Logger other = second.json();
        JdkLoggerFinder.install(other);
        log.log(Level.INFO, "two");
        JdkLoggerFinder.uninstall(installed); // not the installed one: no effect
        log.log(Level.INFO, "three");
        JdkLoggerFinder.uninstall(other);
        assertThat(captured.lines()).hasSize(1);
        assertThat(second.lines()).hasSize(2);
    }

    @Test
    void without_an_installed_logger_a_default_one_is_used() {
        JdkLoggerFinder.uninstall(installed);
        assertThat(log.isLoggable(Level.ERROR)).isTrue();
        assertThat(JdkLoggerFinder.target()).isNotSameAs(installed).isSameAs(JdkLoggerFinder.target());
        assertThat(log.isLoggable(Level.WARNING)).isTrue();
        assertThat(log.isLoggable(Level.INFO)).isFalse();
        log.log(Level.DEBUG, "goes nowhere here");
        assertThat(captured.text()).isEmpty();
    }
}
