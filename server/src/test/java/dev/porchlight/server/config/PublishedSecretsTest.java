// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No secret in a file of the repository starts a service outside localhost mode. */
class PublishedSecretsTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Set<String> SETTINGS = Set.of("SESSION_SECRET", "SESSION_SECRET_PREVIOUS", "ADMIN_TOKEN");

    private static final String SETTING = "(SESSION_SECRET(?:_PREVIOUS)?|ADMIN_TOKEN)";

    /** In programs, a string after the name of a setting, or a constant. */
    private static final Pattern IN_PROGRAMS = Pattern.compile('"' + SETTING
            + "\",\\s*\"([^\"\\s]{16,})\"|\\b([A-Z_]*(?:SECRET|TOKEN|ADMIN))\\s*=\\s*\"([^\"\\n]{16,})\"");

    private static final Pattern ELSEWHERE =
            Pattern.compile("\\b" + SETTING + "['\"]?[:=][ '\"]*([^\\s\"'`$(){}<>]{16,})");

    /** The URL of a database or of Redis with a password. */
    private static final Pattern URLS =
            Pattern.compile("\\b(?:jdbc:)?(postgres(?:ql)?|redis(?:s|\\+cluster|\\+sentinel)?)"
                    + "://[^\\s'\"`<>$*]*(?::[^\\s'\"`@/$*]+@|[?&]password=[^*])[^\\s'\"`<>$*]*");

    /** The password of a database in another configuration file, such as that of Patroni. */
    private static final Pattern PASSWORDS =
            Pattern.compile("(?im)^\\s*[a-z_]*password['\"]?\\s*[:=]\\s*['\"]?([^\\s'\"${}]+)");

    private static final Set<String> CONFIGURATIONS = Set.of("yml", "yaml", "env", "ini", "cfg", "properties");
    private static final Set<String> PROGRAMS = Set.of("java", "js", "mjs", "ts", "tsx", "jsx");
    private static final Set<String> SKIPPED = Set.of(".git", "target", "node_modules");
    private static final int MOST_BYTES = 1 << 20;

    @Test
    void no_secret_of_a_file_is_accepted_outside_localhost_mode() throws IOException {
        List<String> found = new ArrayList<>();
        List<String> accepted = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return SKIPPED.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && attributes.size() <= MOST_BYTES) {
                    read(file, found, accepted);
                }
                return FileVisitResult.CONTINUE;
            }
        });

        assertThat(found).as("secrets in files").hasSizeGreaterThan(10).anyMatch(URLS.asMatchPredicate());
        assertThat(accepted).isEmpty();
    }

    private static void read(Path file, List<String> found, List<String> accepted) throws IOException {
        String name = file.getFileName().toString();
        String extension = name.substring(name.lastIndexOf('.') + 1);
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        readUrls(file, text, found, accepted);
        if (CONFIGURATIONS.contains(extension)) {
            readPasswords(file, text, found, accepted);
        }
        if (SETTINGS.stream().noneMatch(text::contains)) {
            return;
        }
        Matcher secret = (PROGRAMS.contains(extension) ? IN_PROGRAMS : ELSEWHERE).matcher(text);
        while (secret.find()) {
            boolean constant = secret.group(1) == null;
            String value = secret.group(constant ? 4 : 2);
            found.add(value);
            if (constant
                    ? SETTINGS.stream().anyMatch(it -> isAccepted(it, value))
                    : isAccepted(secret.group(1), value)) {
                accepted.add(file + ": " + value);
            }
        }
    }

    /** Tests and the laboratory have passwords of databases that they create themselves. */
    private static void readUrls(Path file, String text, List<String> found, List<String> accepted) {
        if (ROOT.relativize(file).toString().matches("(.*/src/test|lab)/.*")) {
            return;
        }
        Matcher url = URLS.matcher(text);
        while (url.find()) {
            found.add(url.group());
            if (isAccepted(url.group(1).startsWith("redis") ? "REDIS_URL" : "DATABASE_URL", url.group())) {
                accepted.add(file + ": " + url.group());
            }
        }
    }

    private static void readPasswords(Path file, String text, List<String> found, List<String> accepted) {
        Matcher password = PASSWORDS.matcher(text);
        while (password.find()) {
            String value = password.group(1);
            found.add(value);
            if (isAccepted("DATABASE_URL", "postgres://porchlight:" + value + "@db.example.com/porchlight")) {
                accepted.add(file + ": " + value);
            }
        }
    }

    private static boolean isAccepted(String setting, String value) {
        try {
            Config.read(Map.of("RP_ID", "example.com", "RP_ORIGIN", "https://example.com", setting, value));
            return true;
        } catch (InvalidConfigException e) {
            return e.faults().stream().noneMatch(fault -> fault.setting().name().equals(setting));
        }
    }
}
