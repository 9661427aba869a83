// SPDX-License-Identifier: Apache-2.0
/**
 * The routes of the service. Each class mounts the routes of one subject on a router.
 */
package dev.porchlight.server.routes;
