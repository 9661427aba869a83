// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints what it lists or shows. */
final class Format {
    static final String JSON = "--json";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = JSON, description = "print JSON, errors too; times are in milliseconds since 1970")
    private boolean json;

    boolean isJson() {
        return json;
    }

    void print(Listing listing) {
        PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
        out.print(json ? listing.json() + '\n' : listing.text());
        out.flush();
    }
}
