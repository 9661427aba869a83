// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import dev.porchlight.observe.http.CorrelationId;
import dev.porchlight.observe.http.HttpTelemetry;
import dev.porchlight.observe.http.ObservedRequest;
import dev.porchlight.observe.trace.Scope;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Observes the requests of a servlet application. Map it to {@code /*}, before all other filters, for the dispatcher type
 * {@code REQUEST}, with asynchronous requests supported. Thread-safe.
 *
 * <p>The route is the template that the handler sets with {@link ObservedRequest#template}, else the pattern that Spring MVC
 * matched, else the pattern of the servlet's mapping; a default servlet has none. An asynchronous request ends when it is
 * complete.
 */
public final class TelemetryServletFilter implements Filter {
    /** The request attribute of the correlation id, a string. */
    public static final String CORRELATION_ID = "correlationId";

    /** The request attribute of the {@link dev.porchlight.observe.log.Logger} bound to the correlation id. */
    public static final String LOGGER = "logger";

    private static final String OBSERVED = ObservedRequest.class.getName();

    private final HttpTelemetry telemetry;

    public TelemetryServletFilter(HttpTelemetry telemetry) {
        this.telemetry = Objects.requireNonNull(telemetry, "telemetry");
    }

    /**
     * Returns the correlation id, logger and span of a request.
     *
     * @throws IllegalStateException if the request did not pass this filter
     */
    public static ObservedRequest request(ServletRequest request) {
        if (request.getAttribute(OBSERVED) instanceof ObservedRequest observed) {
            return observed;
        }
        throw new IllegalStateException("the request did not pass the TelemetryServletFilter");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse httpResponse
                && request.getAttribute(OBSERVED) == null) {
            observe(http, httpResponse, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void observe(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ServletRequestView view = new ServletRequestView(request);
        ObservedRequest observed = telemetry.begin(view, null);
        request.setAttribute(OBSERVED, observed);
        request.setAttribute(CORRELATION_ID, observed.correlationId());
        request.setAttribute(LOGGER, observed.logger());
        response.setHeader(CorrelationId.HEADER, observed.correlationId());
        Ending ending = new Ending(view, observed, response);
        Scope scope = observed.makeCurrent();
        try {
            chain.doFilter(request, new CountingResponse(response, observed));
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(ending);
            } else {
                ending.end(null);
            }
        } catch (Throwable failure) { // an Error also needs a count and a log line
            ending.end(failure);
            throw failure;
        } finally {
            scope.close();
        }
    }

    /** Ends a request once, when the filter returns or when the asynchronous request is complete. */
    private static final class Ending implements AsyncListener {
        private final ServletRequestView request;
        private final ObservedRequest observed;
        private final HttpServletResponse response;
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile @Nullable Throwable failure;

        Ending(ServletRequestView request, ObservedRequest observed, HttpServletResponse response) {
            this.request = request;
            this.observed = observed;
            this.response = response;
        }

        void end(@Nullable Throwable thrown) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            Throwable cause = thrown instanceof ServletException wrapper && wrapper.getRootCause() != null
                    ? wrapper.getRootCause()
                    : thrown;
            int status = status(cause);
            if (cause != null && status != ObservedRequest.CLIENT_CLOSED_REQUEST) {
                observed.logger().error("request failed", cause);
            }
            observed.end(request.template(), status, cause);
        }

        private int status(@Nullable Throwable cause) {
            if (cause == null) {
                return response.getStatus();
            }
            return cause instanceof IOException && response.isCommitted()
                    ? ObservedRequest.CLIENT_CLOSED_REQUEST
                    : Math.max(500, response.getStatus()); // the server sets the status of an error after the filter
        }

        @Override
        public void onComplete(AsyncEvent event) {
            end(failure);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // the application or the server completes the request
        }

        @Override
        public void onError(AsyncEvent event) {
            failure = event.getThrowable();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this); // a new cycle forgets its listeners
        }
    }
}
