// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.CorrelationIds;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Assigns every request a correlation id: the caller's {@value #HEADER} if it is safe to print, otherwise a new one. The
 * response echoes it. The exchange's state has it under {@value Exchange#CORRELATION_ID}, and a logger bound to it under
 * {@value Exchange#LOGGER}.
 */
public final class Correlation implements Middleware {
    static final String HEADER = CorrelationIds.HEADER;

    /** Marks log lines whose correlation id was chosen by the caller, so it may not be unique. */
    static final String CLAIMED = "correlationIdClaimed";

    private final Logger logger;

    public Correlation(Logger logger) {
        this.logger = logger;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        List<String> given = exchange.headers(HEADER);
        String id = id(given);
        boolean claimed = given.contains(id);
        exchange.state(Exchange.CORRELATION_ID, id);
        Fields fields = Fields.of(Exchange.CORRELATION_ID, id);
        exchange.state(Exchange.LOGGER, logger.child(claimed ? fields.put(CLAIMED, true) : fields));
        exchange.responseHeader(HEADER, id);
        next.proceed(exchange);
    }

    /** Returns the caller's id, or a new one. */
    static String id(List<String> given) {
        if (given.size() == 1 && CorrelationIds.isAccepted(given.get(0))) {
            return given.get(0);
        }
        return newId();
    }

    /** Returns 32 random hex digits: unique, but not a secret. */
    public static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
