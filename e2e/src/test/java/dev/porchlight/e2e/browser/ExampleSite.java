// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Serves the files of an example on a separate origin, from which the browser's service accepts passkeys. */
final class ExampleSite implements AutoCloseable {
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html; charset=utf-8", "js", "text/javascript", "css", "text/css");

    private final HttpServer server;

    private ExampleSite(HttpServer server) {
        this.server = server;
    }

    /** Starts both, the service with these variables, as pairs. The address of the service in the files is replaced with that of the browser's service. */
    static ExampleSite serve(String directory, Browser browser, String... variables) throws IOException {
        Path root = Path.of(System.getProperty("porchlight.root"), directory);
        var site = new ExampleSite(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        List<String> all = new ArrayList<>(List.of("RP_ORIGIN", site.origin()));
        all.addAll(List.of(variables));
        browser.serve(all.toArray(String[]::new));
        site.server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String file = path.equals("/") ? "index.html" : path.substring(1);
            byte[] body = Files.readString(root.resolve(file))
                    .replace("http://localhost:8080", browser.site().origin())
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", TYPES.get(file.replaceAll(".*\\.", "")));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        site.server.start();
        return site;
    }

    String origin() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
