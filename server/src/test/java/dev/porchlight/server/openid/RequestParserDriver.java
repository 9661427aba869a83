// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import java.io.IOException;

/** The entry point for Jazzer, in a separate JVM. The argument is the parser. */
public final class RequestParserDriver {
    private static RequestParser parser = RequestParser.PARAMETERS;

    private RequestParserDriver() {}

    /** Called once. Reads the corpus to load and instrument the classes. */
    public static void fuzzerInitialize(String[] arguments) throws IOException {
        parser = RequestParser.valueOf(arguments[0]);
        parser.corpus().forEach(parser::run);
    }

    /** Called for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        parser.run(input);
    }
}
