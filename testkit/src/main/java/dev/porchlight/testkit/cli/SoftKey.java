// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.cli;

import dev.porchlight.testkit.DomException;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A security key for the command line: reads options from standard input and writes the response to standard output.
 *
 * <p>Private keys are stored unencrypted. Use it for experiments only.
 */
public final class SoftKey {
    private static final int DECLINED = 1;
    private static final int USAGE_ERROR = 2;
    private static final String USAGE = """
            usage: SoftKey create|get --store FILE --origin ORIGIN

              create   respond to creation options, as navigator.credentials.create() does
              get      respond to request options, as navigator.credentials.get() does
              --store  the file with the passkeys; created if missing
              --origin the origin of the page, for example http://localhost:8080

            Options are read from standard input and the response is written to standard output, both as WebAuthn JSON.""";

    private SoftKey() {}

    public static void main(String[] arguments) throws IOException {
        System.exit(run(List.of(arguments), System.in, System.out, System.err));
    }

    static int run(List<String> arguments, InputStream in, PrintStream out, PrintStream err) throws IOException {
        Map<String, String> flags = flags(arguments);
        String action = arguments.isEmpty() ? "" : arguments.get(0);
        String store = flags.get("--store");
        String origin = flags.get("--origin");
        if (!(action.equals("create") || action.equals("get")) || store == null || origin == null) {
            err.println(USAGE);
            return USAGE_ERROR;
        }
        Path file = Path.of(store).toAbsolutePath();
        SoftAuthenticator key = SoftAuthenticator.securityKey();
        try {
            if (Files.exists(file)) {
                key.restore(Files.readString(file));
            }
            SoftBrowser browser = new SoftBrowser(origin, key);
            String options = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String response = action.equals("create") ? browser.create(options) : browser.get(options);
            save(key, file); // first, so that the count of every response is saved
            out.println(response);
            return 0;
        } catch (DomException | JsonException | IllegalArgumentException e) {
            err.println(e.getMessage());
            return DECLINED;
        }
    }

    /** Replaces the file atomically. The temporary file is only readable by its owner. */
    private static void save(SoftAuthenticator key, Path file) throws IOException {
        Path written = Files.createTempFile(Objects.requireNonNull(file.getParent()), "softkey", ".json");
        Files.writeString(written, key.export());
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Map<String, String> flags(List<String> arguments) {
        Map<String, String> flags = new HashMap<>();
        for (int i = 1; i + 1 < arguments.size(); i += 2) {
            flags.put(arguments.get(i), arguments.get(i + 1));
        }
        return flags;
    }
}
