// SPDX-License-Identifier: Apache-2.0
/**
 * What the service answers. Each class holds the routes of one subject and mounts them on a router.
 */
package dev.porchlight.server.routes;
