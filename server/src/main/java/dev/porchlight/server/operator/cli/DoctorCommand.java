// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.operator.doctor.Diagnosis;
import dev.porchlight.server.operator.doctor.Doctor;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Checks the service. */
@Command(
        name = "doctor",
        header = "Check this machine and the public URL, and suggest a fix for each problem.",
        description = {
            "",
            "Checks the configuration, the data directory, the database, the clock, the signing keys, the crypto"
                    + " provider, the port, and the OpenID Connect clients against the discovery document. With the public URL, also TLS, the redirect to https, the proxy's headers, the"
                    + " session cookie, the security headers and the well-known documents.",
            "",
            "Changes nothing. Exits with 1 if there are problems."
        })
final class DoctorCommand extends BaseCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "the public URL of the service, for example https://login.example.com")
    private @Nullable URI url;

    @Override
    public Integer call() {
        if (url != null && (url.getHost() == null || !List.of("http", "https").contains(url.getScheme()))) {
            throw new ParameterException(
                    command(), url + " must be an http or https URL, for example https://login.example.com");
        }
        int problems = 0;
        for (Diagnosis result : Doctor.of(cli().environment).examine(url)) {
            switch (result.state()) {
                case OK -> out().println("  ok       " + result.what());
                case SKIPPED -> out().println("  skipped  " + result.what());
                case PROBLEM -> {
                    out().println("  PROBLEM  " + result.what());
                    out().println("           fix: " + result.fix());
                    problems++;
                }
            }
        }
        out().println(
                        problems == 0
                                ? "No problems found."
                                : problems == 1 ? "1 problem found." : problems + " problems found.");
        return problems == 0 ? 0 : Cli.FAILED;
    }
}
