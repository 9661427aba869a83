// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JDK on this machine. */
public final class JavaHome {
    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

    private JavaHome() {}

    /** The feature release of the JDK in a directory, such as 17; 0 if the directory has no JDK. */
    public static int feature(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(release)) {
            return 0;
        }
        Matcher version = VERSION.matcher(Files.readString(release));
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }
}
