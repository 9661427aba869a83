// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.StorageFault;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.passkey.InvalidTextException;
import dev.porchlight.server.limit.OncePerSecond;
import java.util.Locale;

/**
 * Where everything thrown ends: the client gets a problem, the log gets the cause, and whoever counts gets the status the
 * client got. The innermost middleware, so that all others see a request that ended in order.
 */
public final class ErrorBoundary implements Middleware {
    /** While the storage is away every request meets the same fault. */
    private final OncePerSecond storageFaults = new OncePerSecond();

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        try {
            try {
                next.proceed(exchange);
            } catch (ProblemException refused) {
                exchange.send(refused.problem().answer(exchange.correlationId()));
            } catch (ClientGoneException gone) {
                throw gone;
            } catch (MalformedException | InvalidTextException malformed) {
                exchange.send(Problem.malformed(String.valueOf(malformed.getMessage()))
                        .answer(exchange.correlationId()));
            } catch (StorageException unavailable) {
                tell(exchange, unavailable);
                Problem problem = unavailable.fault() == StorageFault.FULL ? Problem.FULL : Problem.UNAVAILABLE;
                exchange.send(problem.answer(exchange.correlationId()));
            } catch (Throwable fault) { // an Error of a handler must not go unanswered and uncounted either
                fail(exchange, fault);
            }
        } catch (ClientGoneException gone) {
            exchange.clientGone(gone);
        } finally {
            exchange.end();
        }
    }

    private void tell(Exchange exchange, StorageException unavailable) {
        String fault = unavailable.fault().name().toLowerCase(Locale.ROOT);
        long others = storageFaults.pass(fault);
        if (others != OncePerSecond.HELD_BACK) {
            exchange.logger()
                    .error("storage is unavailable", unavailable, Fields.of("fault", fault, "notLogged", others));
        }
    }

    private static void fail(Exchange exchange, Throwable fault) throws Exception {
        exchange.failure(fault);
        Endpoint endpoint = exchange.endpoint();
        exchange.logger()
                .error(
                        "request failed",
                        fault,
                        Fields.of("method", endpoint.method().label(), "route", endpoint.route()));
        if (exchange.status() == 0) {
            exchange.send(Problem.INTERNAL.answer(exchange.correlationId()));
        }
    }
}
