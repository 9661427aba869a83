// SPDX-License-Identifier: Apache-2.0
/** Whom this program believes when it is itself the client of a service. */
package dev.porchlight.server.tls;
