// SPDX-License-Identifier: Apache-2.0
/**
 * The HTTP server, and the only package that uses Jetty. {@link dev.porchlight.server.http.HttpServer} listens;
 * {@link dev.porchlight.server.http.Router} finds the endpoint of a request; an
 * {@link dev.porchlight.server.http.Exchange} passes through the {@link dev.porchlight.server.http.Middleware} and
 * reaches a {@link dev.porchlight.server.http.Handler}, whose {@link dev.porchlight.server.http.Response} is sent. Errors
 * become a {@link dev.porchlight.server.http.Problem}.
 */
package dev.porchlight.server.http;
