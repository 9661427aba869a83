// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The application in {@code openid-client/relying-party.js}, on the package openid-client. */
final class NodeApplication implements AutoCloseable {
    private static final String DIRECTORY = "openid-client/";

    private final String origin;
    private final RelyingParty process;

    private NodeApplication(String origin, RelyingParty process) {
        this.origin = origin;
        this.process = process;
    }

    /** Installs the package, if that was not done before, and starts the application. */
    static NodeApplication start(Site site) throws IOException, InterruptedException {
        String node = Requirements.program("node");
        Path directory = install(Requirements.program("npm"));
        int port = Ports.free();
        return new NodeApplication(
                "http://127.0.0.1:" + port,
                RelyingParty.start(
                        directory, port, Map.of(), node, "relying-party.js", site.origin(), Integer.toString(port)));
    }

    private static Path install(String npm) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "openid-client"));
        boolean installed = Files.exists(directory.resolve("node_modules/.installed"));
        for (String file : List.of("package.json", "package-lock.json", "relying-party.js")) {
            byte[] content =
                    NodeApplication.class.getResourceAsStream(DIRECTORY + file).readAllBytes();
            Path copy = directory.resolve(file);
            installed &= file.equals("relying-party.js")
                    || Files.exists(copy) && Arrays.equals(content, Files.readAllBytes(copy));
            Files.write(copy, content);
        }
        if (!installed) {
            Path log = directory.resolve("npm.log");
            Process npmCi = new ProcessBuilder(
                            npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean done = npmCi.waitFor(Patience.SECONDS, TimeUnit.SECONDS) && npmCi.exitValue() == 0;
            Requirements.check(done, "npm could not install the package openid-client: " + Files.readString(log));
            Files.createFile(directory.resolve("node_modules/.installed"));
        }
        return directory;
    }

    String origin() {
        return origin;
    }

    /** The public key that the application signs its client assertions with. */
    String jwks() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(origin + "/jwks")).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @Override
    public void close() {
        process.close();
    }
}
