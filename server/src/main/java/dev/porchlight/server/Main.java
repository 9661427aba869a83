// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.operator.cli.Cli;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Consumer;

/** Where the process begins: hands the arguments to the command line and exits with what it says. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(cli(System.getenv(), routes -> {}).run(arguments));
    }

    /**
     * Runs the service until the process is told to stop, then exits with status 0. Exits with 2 when the configuration is
     * wrong, and with 1 when the service cannot start.
     *
     * @param more mounts further routes beside the service's own
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
        StartMessages messages = new StartMessages(app, terminal, System.out::println);
        messages.listening(config, environment);
        if (app.awaitReady()) {
            messages.ready();
        }
        app.join();
    }

    /** A process that stops in order because it was told to has not failed, whatever the JVM makes of the signal. */
    private static void stopAtSignal(App app) {
        Thread stop = new Thread(
                () -> {
                    app.close();
                    Runtime.getRuntime().halt(0);
                },
                "stop");
        Runtime.getRuntime().addShutdownHook(stop);
    }

    @SuppressWarnings("SystemConsoleNull") // null tells up to JDK 21, and from 22 on the method asked for below
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
