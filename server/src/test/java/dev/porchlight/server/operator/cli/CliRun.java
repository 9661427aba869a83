// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.support.Patience;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** One run of the command line with its output. */
public record CliRun(int status, String out, String err) {

    public static CliRun of(Map<String, String> environment, String... arguments) {
        return of(environment, variables -> {}, arguments);
    }

    static CliRun of(Map<String, String> environment, Cli.Service service, String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int status = new Cli(Patience.variables(environment), service, new PrintWriter(out), new PrintWriter(err))
                .run(arguments);
        return new CliRun(status, out.toString(), err.toString());
    }
}
