// SPDX-License-Identifier: Apache-2.0
/** Trust in servers that this program connects to as a client. */
package dev.porchlight.server.tls;
