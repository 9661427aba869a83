// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.StorageFault;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.passkey.InvalidTextException;
import dev.porchlight.server.limit.OncePerSecond;
import dev.porchlight.server.storage.Actor;
import java.io.IOException;
import java.util.Locale;

/**
 * Turns every exception into a problem, as JSON or as a page, and a log line with the cause. It is inside the middleware that logs and
 * counts, so that they see the status sent to the client.
 */
public final class ErrorBoundary implements Middleware {
    /** While the storage is down, every request fails in the same way. */
    private final OncePerSecond storageFaults = new OncePerSecond();

    private final ProblemPages pages;

    public ErrorBoundary(ProblemPages pages) {
        this.pages = pages;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        try {
            try {
                next.proceed(exchange);
            } catch (ProblemException refused) {
                send(exchange, refused.problem());
            } catch (Actor.DeniedException denied) {
                refuse(exchange, OperatorProblem.of(denied.denial()));
            } catch (ResponseWriter.ClientGoneException gone) {
                throw gone;
            } catch (MalformedException | InvalidTextException malformed) {
                exchange.send(Problem.malformed(malformed.getMessage() + '.').response(exchange.correlationId()));
            } catch (StorageException unavailable) {
                logStorageFault(exchange, unavailable);
                Problem problem = unavailable.fault() == StorageFault.FULL ? Problem.FULL : Problem.UNAVAILABLE;
                send(exchange, problem);
            } catch (Throwable fault) { // an Error also needs a response and a count
                fail(exchange, fault);
            }
        } catch (ResponseWriter.ClientGoneException gone) {
            exchange.clientGone(gone);
        } finally {
            exchange.end();
        }
    }

    private void refuse(Exchange exchange, Problem problem) throws IOException {
        if (problem.status() == 401) {
            exchange.responseHeader("WWW-Authenticate", "Bearer");
        }
        send(exchange, problem);
    }

    private void send(Exchange exchange, Problem problem) throws IOException {
        Response page = pages.of(exchange, problem);
        exchange.send(page == null ? problem.response(exchange.correlationId()) : page);
    }

    private void logStorageFault(Exchange exchange, StorageException unavailable) {
        String fault = unavailable.fault().name().toLowerCase(Locale.ROOT);
        long others = storageFaults.pass(fault);
        if (others != OncePerSecond.HELD_BACK) {
            exchange.logger()
                    .error("storage is unavailable", unavailable, Fields.of("fault", fault, "notLogged", others));
        }
    }

    private void fail(Exchange exchange, Throwable fault) throws Exception {
        exchange.failure(fault);
        Endpoint endpoint = exchange.endpoint();
        exchange.logger()
                .error(
                        "request failed",
                        fault,
                        Fields.of("method", endpoint.method().label(), "route", endpoint.route()));
        if (exchange.status() == 0) {
            send(exchange, Problem.INTERNAL);
        }
    }
}
