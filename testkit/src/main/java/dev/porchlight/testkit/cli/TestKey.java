// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.cli;

import dev.porchlight.testkit.DomException;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftAuthenticatorBuilder;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A security key for the command line. It responds to options on standard input, or plays a user of any relying party over
 * HTTP.
 *
 * <p>Private keys are stored unencrypted. Use it for experiments only.
 */
public final class TestKey {
    private static final int DECLINED = 1;
    private static final int USAGE_ERROR = 2;
    private static final Set<String> FLAGS = Set.of(
            "--store", "--origin", "--options", "--finish", "--send", "--wrap", "--header", "--user", "--algorithms");
    private static final String USAGE = """
            usage: testkey create|get --store FILE --origin ORIGIN
                   testkey register|login --store FILE --options URL --finish URL [--origin ORIGIN]

              create        respond to creation options, as navigator.credentials.create() does
              get           respond to request options, as navigator.credentials.get() does
              register      request creation options, and send the response
              login         request request options, and send the response

              --store       the file with the passkeys; created if missing
              --origin      the origin of the page, for example http://localhost:8080; default: that of the options' URL
              --user        the account name to sign in with, if several passkeys match
              --algorithms  the supported COSE numbers; default: -7

              --options     the URL of the options: the members of WebAuthn, alone or in a member publicKey
              --send        the JSON to send to it; without it, the request is a GET
              --finish      the URL of the response
              --wrap        the JSON to send to it; $response in it is replaced; default: $response
              --header      a header of both requests, as NAME: VALUE; repeatable

            create and get read options from standard input and write the response to standard output, both as WebAuthn
            JSON. register and login write the body of the last response, and keep cookies between their requests.""";

    private TestKey() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.exit(run(List.of(arguments), System.in, System.out, System.err));
    }

    static int run(List<String> arguments, InputStream in, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        if (arguments.contains("--help")) {
            out.println(USAGE);
            return 0;
        }
        String action = arguments.isEmpty() ? "" : arguments.get(0);
        boolean remote = Set.of("register", "login").contains(action);
        Map<String, List<String>> flags;
        try {
            flags = flags(arguments);
            requireUsable(action, remote, flags.keySet());
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage() + "\n" + USAGE);
            return USAGE_ERROR;
        }
        Path file = Path.of(first(flags, "--store", "")).toAbsolutePath();
        try {
            SoftAuthenticator key = key(flags);
            if (Files.exists(file)) {
                key.restore(Files.readString(file));
            }
            SoftBrowser browser = new SoftBrowser(origin(flags), key);
            if (flags.containsKey("--user")) {
                browser.picks(first(flags, "--user", ""));
            }
            RemoteParty party = remote ? new RemoteParty(flags.getOrDefault("--header", List.of())) : null;
            String options = party == null
                    ? new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    : party.options(first(flags, "--options", ""), first(flags, "--send", ""));
            boolean creates = Set.of("create", "register").contains(action);
            String response = creates ? browser.create(options) : browser.get(options);
            save(key, file); // first, so that the count of every response is saved
            out.println(
                    party == null
                            ? response
                            : party.finish(
                                    first(flags, "--finish", ""),
                                    first(flags, "--wrap", "$response").replace("$response", response)));
            return 0;
        } catch (DomException | JsonException | IllegalArgumentException | RemoteParty.RefusedException e) {
            err.println(e.getMessage());
            return DECLINED;
        }
    }

    private static SoftAuthenticator key(Map<String, List<String>> flags) {
        SoftAuthenticatorBuilder builder = SoftAuthenticator.builder();
        String algorithms = first(flags, "--algorithms", "");
        return algorithms.isEmpty()
                ? builder.build()
                : builder.algorithms(Stream.of(algorithms.split(",", -1))
                                .mapToInt(Integer::parseInt)
                                .toArray())
                        .build();
    }

    private static String origin(Map<String, List<String>> flags) {
        URI page = URI.create(first(flags, "--options", "http://localhost"));
        return first(flags, "--origin", page.getScheme() + "://" + page.getRawAuthority());
    }

    /** Replaces the file atomically. The temporary file is only readable by its owner. */
    private static void save(SoftAuthenticator key, Path file) throws IOException {
        Path written = Files.createTempFile(Objects.requireNonNull(file.getParent()), "testkey", ".json");
        Files.writeString(written, key.export());
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String first(Map<String, List<String>> flags, String name, String otherwise) {
        return flags.containsKey(name) ? flags.get(name).get(0) : otherwise;
    }

    private static Map<String, List<String>> flags(List<String> arguments) {
        Map<String, List<String>> flags = new HashMap<>();
        for (int i = 1; i < arguments.size(); i++) {
            String[] option = arguments.get(i).split("=", 2);
            if (!FLAGS.contains(option[0])) {
                throw new IllegalArgumentException("unknown option: " + option[0]);
            }
            if (option.length == 1 && ++i == arguments.size()) {
                throw new IllegalArgumentException(option[0] + " needs a value");
            }
            flags.computeIfAbsent(option[0], name -> new ArrayList<>())
                    .add(option.length == 1 ? arguments.get(i) : option[1]);
        }
        return flags;
    }

    private static void requireUsable(String action, boolean remote, Set<String> given) {
        if (!remote && !Set.of("create", "get").contains(action)) {
            throw new IllegalArgumentException("the first argument must be create, get, register or login");
        }
        for (String name : remote ? List.of("--store", "--options", "--finish") : List.of("--store", "--origin")) {
            if (!given.contains(name)) {
                throw new IllegalArgumentException(action + " needs " + name);
            }
        }
    }
}
