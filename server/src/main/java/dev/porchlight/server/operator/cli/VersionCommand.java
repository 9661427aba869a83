// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Prints the version. */
@Command(name = "version", header = "Print the versions of Porchlight and the JDK.")
final class VersionCommand extends BaseCommand implements IVersionProvider {
    @Override
    public Integer call() throws IOException {
        for (String line : getVersion()) {
            out().println(line);
        }
        return 0;
    }

    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"porchlight " + own() + " (JDK " + Runtime.version() + ")"};
    }

    private static String own() throws IOException {
        Properties properties = new Properties();
        try (InputStream file = VersionCommand.class.getResourceAsStream("version.properties")) {
            if (file != null) {
                properties.load(file);
            }
        }
        return properties.getProperty("version", "from source");
    }
}
