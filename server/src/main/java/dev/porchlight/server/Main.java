// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.operator.cli.Cli;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The entry point of the process. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(cli(System.getenv(), routes -> {}).run(arguments));
    }

    /**
     * Runs the service until the process is stopped, then exits with status 0. Exits with 2 if the configuration is invalid, and
     * with 1 if the service cannot start.
     *
     * @param more adds further routes
     */
    public static void serve(Map<String, String> environment, Consumer<Router.Builder> more) {
        System.exit(cli(environment, more).run("serve"));
    }

    private static Cli cli(Map<String, String> environment, Consumer<Router.Builder> more) {
        PrintWriter out = new PrintWriter(System.out, true, UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, UTF_8);
        return new Cli(environment, variables -> run(variables, more), out, err);
    }

    private static void run(Map<String, String> environment, Consumer<Router.Builder> more) throws Exception {
        boolean terminal = isTerminal();
        Config config = Config.read(environment);
        App app = App.start(config, LogWriter.standardOutput(), terminal, more);
        stopAtSignal(app);
        Consumer<String> out = terminal ? System.out::println : null;
        listening(app, config, environment.get("PORCHLIGHT_DOCS"), out);
        if (app.awaitReady()) {
            ready(app, out);
        }
        app.join();
    }

    /**
     * Says where to go: on the terminal, or without one in the log.
     *
     * @param docs the directory of the documentation, which the launcher knows
     */
    static void listening(App app, Config config, @Nullable String docs, @Nullable Consumer<String> terminal) {
        if (terminal == null) {
            log(app, "Porchlight is listening: ");
            return;
        }
        String management = app.managementUrl();
        terminal.accept("Porchlight is listening on " + app.url());
        terminal.accept("  Sign in  " + app.url() + "/");
        terminal.accept("  Console  " + management + "/console"
                + (config.adminEnabled() ? "" : " for operators; add one with: porchlight operators add"));
        terminal.accept("  Metrics  " + management + "/metrics");
        terminal.accept("  Docs     " + (docs == null ? app.url() + "/openapi.json" : docs + "/README.md"));
    }

    static void ready(App app, @Nullable Consumer<String> terminal) {
        if (terminal == null) {
            log(app, "Porchlight is ready: ");
        } else {
            terminal.accept("Porchlight is ready. Stop it with Ctrl-C.");
        }
    }

    private static void log(App app, String message) {
        app.observability().logger().info(message + app.url(), Fields.of("url", app.url()));
    }

    /** Exits with 0 after an orderly stop, although the JVM reports the signal as a failure. */
    private static void stopAtSignal(App app) {
        Thread stop = new Thread(
                () -> {
                    app.close();
                    Runtime.getRuntime().halt(0);
                },
                "stop");
        Runtime.getRuntime().addShutdownHook(stop);
    }

    @SuppressWarnings("SystemConsoleNull") // null means no terminal up to JDK 21; JDK 22 added isTerminal()
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException beforeJdk22) {
            return true;
        }
    }
}
