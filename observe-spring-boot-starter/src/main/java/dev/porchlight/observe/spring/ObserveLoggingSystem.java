// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.JulHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LogFile;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.LoggingSystemFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Spring Boot's logging if SLF4J has our provider: opens the signals as soon as the environment is known, so that the lines of
 * the start have their format. Used by the thread that starts the application.
 */
public final class ObserveLoggingSystem extends LoggingSystem {
    private @Nullable Observability observe;
    private boolean taken;

    private ObserveLoggingSystem() {}

    /** Called by Spring Boot. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    public static final class Factory implements LoggingSystemFactory {
        /** For Spring Boot. */
        public Factory() {}

        @Override
        public @Nullable LoggingSystem getLoggingSystem(ClassLoader classLoader) {
            return isProvider() ? new ObserveLoggingSystem() : null;
        }
    }

    /** Whether SLF4J writes through the observe module, and not through logback, which may be on the class path too. */
    static boolean isProvider() {
        return LoggerFactory.getLogger(ObserveLoggingSystem.class)
                .getClass()
                .getPackageName()
                .equals("dev.porchlight.observe.slf4j");
    }

    @Override
    public void beforeInitialize() {
        // until the environment is known, warnings go to standard error
    }

    @Override
    public void initialize(
            LoggingInitializationContext context, @Nullable String configLocation, @Nullable LogFile logFile) {
        if (observe == null && context.getEnvironment() instanceof ConfigurableEnvironment environment) {
            observe = install(Observability.open(SpringSettings.read(environment)));
        }
    }

    /** Makes libraries log through this. */
    static Observability install(Observability observe) {
        JdkLoggerFinder.install(observe.logger());
        JulHandler.install(observe.logger());
        return observe;
    }

    /** Passes the opened signals on to the application, which closes them; null if there are none. */
    @Nullable
    Observability take() {
        taken = true;
        return observe;
    }

    /** Does nothing: the levels were read from the environment. */
    @Override
    public void setLogLevel(@Nullable String loggerName, @Nullable LogLevel level) {}

    @Override
    public void cleanUp() {
        if (observe != null && !taken) {
            observe.close();
        }
    }
}
