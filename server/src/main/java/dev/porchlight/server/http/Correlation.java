// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.CorrelationIds;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The correlation ids of requests: the caller's {@value CorrelationIds#HEADER} if it is safe to print, otherwise a new one. */
public final class Correlation {
    /** Marks log lines whose correlation id was chosen by the caller, so it may not be unique. */
    private static final String CLAIMED = "correlationIdClaimed";

    private Correlation() {}

    /** Assigns an id, which the response echoes, and a logger bound to it. */
    static void assign(Exchange exchange, Logger logger) {
        List<String> given = exchange.headers(CorrelationIds.HEADER);
        String id = id(given);
        Fields fields = Fields.of(Exchange.CORRELATION_ID, id);
        exchange.state(Exchange.CORRELATION_ID, id);
        exchange.state(Exchange.LOGGER, logger.child(given.contains(id) ? fields.put(CLAIMED, true) : fields));
        exchange.responseHeader(CorrelationIds.HEADER, id);
    }

    /** Returns the caller's id, or a new one. */
    static String id(List<String> given) {
        return given.size() == 1 && CorrelationIds.isAccepted(given.get(0)) ? given.get(0) : newId();
    }

    /** Returns 32 random hex digits: unique, but not a secret. */
    public static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
