// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.passkey.store.StorageException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Fault;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Variable;
import dev.porchlight.server.http.Router;
import java.io.Console;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** The command line: {@code serve} runs the service until it is told to stop, {@code config} explains its variables. */
public final class Main {
    private static final int FAILED = 1;
    private static final int BAD_USE = 2;

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments.length == 1 ? arguments[0] : "") {
            case "serve" -> serve(System.getenv(), routes -> {});
            case "config" -> explain();
            default -> {
                System.err.println("usage: porchlight serve | config");
                System.exit(BAD_USE);
            }
        }
    }

    /**
     * Runs the service until the process is told to stop, then exits with status 0. Exits with 2 when the configuration is
     * wrong, and with 1 when the service cannot start.
     *
     * @param more mounts further routes beside the service's own
     */
    public static void serve(Map<String, String> environment, Consumer<Router.Builder> more)
            throws InterruptedException {
        boolean terminal = isTerminal();
        App app;
        try {
            app = App.start(Config.read(environment), LogWriter.standardOutput(), terminal, more);
        } catch (InvalidConfigException e) {
            System.err.println("The configuration is wrong:");
            for (Fault fault : e.faults()) {
                System.err.println("  " + fault);
            }
            System.exit(BAD_USE);
            return;
        } catch (IOException | StorageException e) {
            System.err.println("The service cannot start: " + reason(e));
            System.exit(FAILED);
            return;
        }
        stopAtSignal(app);
        String address = app.url();
        if (terminal) {
            System.out.println("Porchlight is ready: " + address);
        } else {
            app.observability().logger().info("Porchlight is ready: " + address, Fields.of("url", address));
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

    /** What went wrong and what was behind it, in one line. */
    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? String.valueOf(failure.getMessage()) : failure.getMessage() + ": " + cause.getMessage();
    }

    private static void explain() {
        for (Variable variable : Variable.values()) {
            System.out.println(variable + "\n    " + variable.meaning() + "\n    default: " + variable.standard());
        }
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
