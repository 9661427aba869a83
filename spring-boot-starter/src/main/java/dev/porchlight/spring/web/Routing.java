// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static dev.porchlight.spring.web.PasskeyEndpoint.problem;
import static org.springframework.web.servlet.function.RequestPredicates.methods;
import static org.springframework.web.servlet.function.RequestPredicates.path;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.spring.web.PasskeyEndpoint.Handler;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Creates routes for pages of the configured origins. Immutable. */
final class Routing {
    static final HttpMethod[] READ = {HttpMethod.GET, HttpMethod.HEAD};
    static final HttpMethod[] WRITE = {HttpMethod.POST};

    private final Origins origins;
    private final RefusalLog refusals;

    Routing(PasskeyConfig config, RefusalLog refusals) {
        this.refusals = refusals;
        this.origins = Origins.of(config);
    }

    /** Returns a route for the allowed methods, and a 405 response for all others. */
    RouterFunction<ServerResponse> route(String path, HttpMethod[] allowed, Handler handler) {
        String allow =
                String.join(", ", Stream.of(allowed).map(HttpMethod::name).toList());
        Handler otherwise = (request, response) -> {
            response.setHeader("Allow", allow);
            throw problem(CommonProblem.METHOD_NOT_ALLOWED);
        };
        return RouterFunctions.route(methods(allowed).and(path(path)), new PasskeyEndpoint(origins, refusals, handler))
                .andRoute(path(path), new PasskeyEndpoint(origins, refusals, otherwise));
    }
}
