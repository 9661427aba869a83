// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.slf4j;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The SLF4J provider: lines go to the logger installed with {@link dev.porchlight.observe.log.JdkLoggerFinder#install}. Created by
 * SLF4J, which warns if it finds a second provider.
 */
public final class Slf4jProvider implements SLF4JServiceProvider {
    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new BasicMDCAdapter();

    /** For SLF4J. */
    public Slf4jProvider() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, known -> new Slf4jLogger(known, contexts));
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return contexts;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        var unused =
                System.LoggerFinder.getLoggerFinder(); // sets the service name of lines before the logger is installed
    }
}
