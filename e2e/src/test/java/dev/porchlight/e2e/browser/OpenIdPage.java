// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The commands and settings of the page for newcomers to OpenID Connect. */
final class OpenIdPage {
    private static final Path PAGE = Path.of(System.getProperty("porchlight.root"), "docs/getting-started/openid.md");

    private OpenIdPage() {}

    /**
     * Registers a client with the command of the page and returns its secret.
     *
     * @param shown the application's origin on the page
     * @param origin the application's origin in the test
     */
    static String register(Site site, String clientId, String shown, String origin) throws IOException {
        String command = block("sh\n\\./porchlight (clients add " + clientId + "\\s.*?)")
                .replace("\\\n", "")
                .replace(shown + "/", origin + "/");
        return secret(site.runCommand(command.strip().split("\\s+")));
    }

    /** The settings of Apache. */
    static String apache() throws IOException {
        return block("apache\n(.*?)");
    }

    /** The secret in the output of {@code clients add}, or an empty text. */
    static String secret(String output) {
        var secret = Pattern.compile("client secret +(\\S+)").matcher(output);
        return secret.find() ? secret.group(1) : "";
    }

    private static String block(String content) throws IOException {
        var found = Pattern.compile("(?ms)^```" + content + "^```$").matcher(Files.readString(PAGE));
        assertThat(found.find()).as(content).isTrue();
        return found.group(1);
    }
}
