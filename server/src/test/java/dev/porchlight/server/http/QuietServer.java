// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.Stream;

/** Servers without logs, sessions and trusted proxies. */
final class QuietServer {
    private QuietServer() {}

    static HttpServer with(Limits limits, Middleware... more) {
        return new HttpServer(
                limits, new ClientAddresses(List.of()), (access, authorization, cookies) -> false, middlewares(more));
    }

    /** The usual middlewares, with more of them inside of the correlation. */
    static List<Middleware> middlewares(Middleware... more) {
        var logger =
                new Logger("test", Level.FATAL, new LogFormat.Json(), LogWriter.to(OutputStream.nullOutputStream()));
        return Stream.of(Stream.of(new Correlation(logger)), Stream.of(more), Stream.of(new ErrorBoundary()))
                .<Middleware>flatMap(each -> each)
                .toList();
    }
}
