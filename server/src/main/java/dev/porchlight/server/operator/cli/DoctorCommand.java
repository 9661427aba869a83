// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.operator.doctor.Doctor;
import dev.porchlight.server.operator.doctor.Finding;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Examines the service. */
@Command(
        name = "doctor",
        header = "Find what keeps the service from working, and say what mends it.",
        description = {
            "",
            "Looks at the configuration, the data directory, the database, the clock, the signing keys, the",
            "crypto provider and the port. Given the URL that people use, also at TLS, the redirect to https,",
            "what the proxy forwards, the session cookie, the security headers and the well-known documents.",
            "",
            "Changes nothing. Ends with 1 if something is wrong; each fault comes with the line that mends it."
        })
final class DoctorCommand extends Output {
    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "where people reach the service, such as https://login.example.com")
    private @Nullable URI url;

    @Override
    public Integer call() {
        if (url != null && (url.getHost() == null || !List.of("http", "https").contains(url.getScheme()))) {
            throw new ParameterException(command(), url + " is not an address such as https://login.example.com");
        }
        int wrong = 0;
        for (Finding finding : Doctor.of(cli().environment).examine(url)) {
            switch (finding.state()) {
                case FINE -> out().println("  fine   " + finding.what());
                case SKIPPED -> out().println("  -      " + finding.what());
                case WRONG -> {
                    out().println("  WRONG  " + finding.what());
                    out().println("         mend it: " + finding.fix());
                    wrong++;
                }
            }
        }
        out().println(wrong == 0 ? "All is well." : wrong == 1 ? "One thing is wrong." : wrong + " things are wrong.");
        return wrong == 0 ? 0 : Cli.FAILED;
    }
}
