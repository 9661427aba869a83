// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * Gives every request a correlation id: the caller's {@value #HEADER} when it is one we would print, otherwise a new one.
 * It is echoed, and stands in the state under {@value Exchange#CORRELATION_ID}, with a logger bound to it under
 * {@value Exchange#LOGGER}.
 */
public final class Correlation implements Middleware {
    static final String HEADER = "X-Correlation-ID";

    /** Marks log lines whose correlation id the caller chose: others may have the same. */
    static final String CLAIMED = "correlationIdClaimed";

    /** Wide enough for every id in common use, and nothing that could mean anything to a log, a shell or a page. */
    private static final Pattern ACCEPTABLE = Pattern.compile("[A-Za-z0-9._:/+=@-]{1,128}");

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

    /** The caller's, or a new one. */
    static String id(List<String> given) {
        if (given.size() == 1 && ACCEPTABLE.matcher(given.get(0)).matches()) {
            return given.get(0);
        }
        return newId();
    }

    /** 32 random hex digits: not a secret, only unlikely to come twice. */
    public static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
