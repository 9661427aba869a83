// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.openid.protocol.ParametersParser;
import java.io.IOException;

/** The entry point for Jazzer, in a separate JVM. The argument is the parser. */
public final class RequestParserDriver {
    private static RequestParser parser = ParametersParser.PARAMETERS;

    private RequestParserDriver() {}

    /** Called once. Reads the corpus to load and instrument the classes. */
    public static void fuzzerInitialize(String[] arguments) throws IOException {
        parser = RequestParser.all().stream()
                .filter(it -> it.name().equals(arguments[0]))
                .findFirst()
                .orElseThrow();
        parser.corpus().forEach(parser::run);
    }

    /** Called for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        parser.run(input);
    }
}
