// SPDX-License-Identifier: Apache-2.0
/** Mails to users: their texts and addresses, and the connection to the mail server. */
package dev.porchlight.server.mail;
