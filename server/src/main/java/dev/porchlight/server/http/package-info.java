// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP, and the only place that knows Jetty. {@link dev.porchlight.server.http.HttpServer} listens;
 * {@link dev.porchlight.server.http.Router} finds the endpoint of a request; an
 * {@link dev.porchlight.server.http.Exchange} passes the {@link dev.porchlight.server.http.Middleware} one by one and
 * reaches a {@link dev.porchlight.server.http.Handler}, whose {@link dev.porchlight.server.http.Response} is sent. Whatever
 * goes wrong becomes a {@link dev.porchlight.server.http.Problem}.
 */
package dev.porchlight.server.http;
