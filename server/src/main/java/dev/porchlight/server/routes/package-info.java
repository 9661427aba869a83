// SPDX-License-Identifier: Apache-2.0
/**
 * The routes of the service. Each class has those of one subject and mounts them on a router.
 */
package dev.porchlight.server.routes;
