// SPDX-License-Identifier: Apache-2.0
// Passkeys only work at the configured origins.

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * @param {{ origin: string, pathname: string, search: string, hash: string }} current the page's address
 * @param {string} configured the service's main origin
 * @param {string[]} accepted every origin that accepts passkeys
 * @returns {{ ok: boolean, redirect?: string }} `redirect` only between names of this machine
 */
export function checkAddress(current, configured, accepted) {
  if (accepted.includes(current.origin)) {
    return { ok: true };
  }
  const [from, to] = [new URL(current.origin), new URL(configured)];
  const sameMachine = LOOPBACK.includes(from.hostname) && LOOPBACK.includes(to.hostname);
  return sameMachine && from.port === to.port && from.protocol === to.protocol
    ? { ok: false, redirect: to.origin + current.pathname + current.search + current.hash }
    : { ok: false };
}
