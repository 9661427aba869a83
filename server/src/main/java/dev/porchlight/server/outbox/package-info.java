// SPDX-License-Identifier: Apache-2.0
/**
 * Messages to the outside that are committed with the change that causes them: the outbox, webhooks, and the relay that reads
 * events from the audit log.
 */
package dev.porchlight.server.outbox;
