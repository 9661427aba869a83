// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.PublicSuffixes;
import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Extensions;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import dev.porchlight.passkey.metadata.MetadataSource;
import dev.porchlight.passkey.metadata.MetadataTrust;
import dev.porchlight.server.config.Setting.InvalidValueException;
import dev.porchlight.server.crypto.SignatureProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parsers of single settings. They throw an {@link IllegalArgumentException} that describes accepted values. */
final class Parsers {
    /** Localhost mode with the library's defaults. */
    static final PasskeyConfig DEFAULTS = new PasskeyConfig("Porchlight", "localhost", "http://localhost");

    private Parsers() {}

    static String host(String text) {
        try {
            if (text.matches("[A-Za-z0-9._:%\\[\\]-]+") && InetAddress.getByName(text) != null) {
                return text;
            }
        } catch (UnknownHostException e) {
            // reported below
        }
        throw InvalidValueException.quoting(
                text, "must be an address of this machine, or a host name that resolves to one, for example 127.0.0.1");
    }

    static String rpId(String text) {
        if (PublicSuffixes.contains(text)) {
            throw new InvalidValueException(
                    "is " + text + ", a public suffix",
                    "browsers refuse it, because anyone can register a name under it; set your own domain, for example example."
                            + text);
        }
        if (libraryFault(text, id -> new PasskeyConfig(DEFAULTS.rpName(), id, "https://" + id))
                .isPresent()) {
            throw InvalidValueException.quoting(
                    text, "must be a domain name in lower case without scheme and port, for example example.com");
        }
        return text;
    }

    static String origin(String text) {
        libraryFault(text, PasskeyConfig::requireOrigin).ifPresent(reason -> {
            throw InvalidValueException.quoting(text, reason);
        });
        return text;
    }

    static Set<String> relatedOrigins(String text) {
        return origins(text, related -> DEFAULTS.toBuilder().relatedOrigins(Set.of(related)));
    }

    static Set<String> topOrigins(String text) {
        return origins(text, top -> DEFAULTS.toBuilder().topOrigins(Set.of(top)));
    }

    static Extensions extensions(String text) {
        List<String> names = list(text);
        for (String name : names) {
            libraryFault(name, it -> Extensions.of(List.of(it))).ifPresent(reason -> {
                throw InvalidValueException.quoting(name, reason);
            });
        }
        return Extensions.of(names);
    }

    private static Set<String> origins(String text, Consumer<String> check) {
        List<String> refused = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (String origin : list(text)) {
            libraryFault(origin, check).ifPresent(reason -> {
                refused.add('"' + origin + '"');
                reasons.add(reason);
            });
        }
        if (!refused.isEmpty()) {
            throw new InvalidValueException("has " + String.join(", ", refused), String.join("; ", reasons));
        }
        return Set.copyOf(list(text));
    }

    static List<String> iosApps(String text) {
        List<String> apps = list(text);
        for (String app : apps) {
            if (!app.matches("[A-Z0-9]{10}\\.[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*")) {
                throw InvalidValueException.quoting(
                        app, "must be TEAMID.BUNDLE_ID, for example A1B2C3D4E5.com.example.app");
            }
        }
        return apps;
    }

    static Thresholds logLevels(String text) {
        return Thresholds.parse(text, complaint -> {
            throw InvalidValueException.quoting(
                    text,
                    "must be trace, debug, info, warn, error or fatal, or a list such as info,org.eclipse.jetty=debug");
        });
    }

    static String webAddress(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("(?i)https?")) {
                return text;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw InvalidValueException.quoting(text, "must be a URL such as http://localhost:4318");
    }

    /** The address of a page that the pages of the service link to. */
    static String page(String text) {
        return link(text, "https?://.+", "must be a URL such as https://example.com/privacy");
    }

    static String contact(String text) {
        return link(
                text,
                "https?://.+|mailto:.+@.+|tel:.+",
                "must be a URL such as https://example.com/help, mailto:help@example.com or tel:+15550100");
    }

    private static String link(String text, String accepted, String needed) {
        try {
            if (text.matches(accepted)) {
                return new URI(text).toASCIIString();
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw InvalidValueException.quoting(text, needed);
    }

    /** The elements of a comma-separated list. */
    static List<String> list(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(element -> !element.isEmpty())
                .toList();
    }

    /** The first bytes of a file, at most as many as given. */
    static byte[] file(String name, int maxBytes) {
        try (InputStream in = Files.newInputStream(Path.of(name))) {
            return in.readNBytes(maxBytes);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("the file " + name + " does not exist");
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + name + " cannot be read");
        }
    }

    static Path existingFile(String name) {
        var unused = file(name, 1);
        return Path.of(name);
    }

    /** The URL of metadata, which a source accepts. */
    static URI metadataUrl(String text) {
        try {
            URI uri = new URI(text);
            var unused = MetadataSource.url(uri, Duration.ofSeconds(1));
            return uri;
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw InvalidValueException.quoting(text, "must be an https URL such as https://mds.fidoalliance.org/");
        }
    }

    static MetadataTrust metadataRoots(String name) {
        return MetadataTrust.of(PemFile.certificates(name).content().stream()
                .map(X509Certificate.class::cast)
                .toList());
    }

    static AuthenticatorPolicy policy(String name) {
        try {
            return AuthenticatorPolicy.parse(new String(file(name, JsonObject.MAX_CHARS), UTF_8));
        } catch (MalformedException e) {
            throw new IllegalArgumentException("must be a JSON object with a policy: " + e.getMessage());
        }
    }

    static List<CredentialAlgorithm> algorithms(String text) {
        return algorithms(text, () -> SignatureProvider.choose().provider());
    }

    static List<CredentialAlgorithm> algorithms(String text, Supplier<Optional<Provider>> nativeProvider) {
        List<String> names = list(text);
        List<CredentialAlgorithm> algorithms = names.stream()
                .flatMap(name -> CredentialAlgorithm.ofLabel(name).stream())
                .toList();
        boolean valid = algorithms.contains(CredentialAlgorithm.ES256)
                && algorithms.size() == names.size()
                && Set.copyOf(names).size() == names.size();
        if (!valid) {
            String known = Stream.of(CredentialAlgorithm.values())
                    .map(CredentialAlgorithm::label)
                    .collect(Collectors.joining(", "));
            throw InvalidValueException.quoting(text, "must be ES256, alone or with some of " + known);
        }
        for (CredentialAlgorithm algorithm : algorithms) {
            // The native provider is loaded only if the JDK does not have the algorithm.
            if (!algorithm.isAvailable(null)
                    && !algorithm.isAvailable(nativeProvider.get().orElse(null))) {
                throw InvalidValueException.quoting(
                        text, "has " + algorithm + ", which requires JDK 24 or later, or the native crypto provider");
            }
        }
        return algorithms;
    }

    /** Returns why the library refuses a text, without the library's own name for it. */
    private static Optional<String> libraryFault(String text, Consumer<String> check) {
        try {
            check.accept(text);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String quoted = '"' + text + '"';
            return Optional.of(
                    message.substring(message.indexOf(quoted) + quoted.length()).strip());
        }
    }
}
