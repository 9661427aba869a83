// SPDX-License-Identifier: Apache-2.0
// Where passkeys are, and what that means for their owner.

/** @typedef {{ transports: string[], backedUp?: boolean }} Placed */

/** @param {Placed} passkey @returns {boolean} whether it is on a key that is plugged in or held near, rather than in a device */
export const isOnSecurityKey = ({ transports }) =>
  !transports.includes('internal') && transports.some((way) => ['usb', 'nfc', 'ble', 'smart-card'].includes(way));

/**
 * What becomes of somebody who loses this device, from what the service knows of the passkeys. Passkeys that are synced
 * come back with their password manager; the others stay where they are.
 *
 * @param {Placed[]} passkeys
 * @returns {{ text: string, tone: 'good' | 'warn' }}
 */
export function safety(passkeys) {
  if (passkeys.some((passkey) => passkey.backedUp)) {
    return {
      text: 'If you lose this device: sign in to your password manager on a new one, and your synced passkey is there.',
      tone: 'good',
    };
  }
  if (passkeys.length > 1) {
    return {
      text: 'If you lose this device: use another passkey. None of yours is synced, so keep them in different places.',
      tone: 'good',
    };
  }
  const [lost, others] = passkeys.some(isOnSecurityKey) ? ['your security key', 'a second key'] : ['this device', 'a security key'];
  return {
    text:
      `If you lose ${lost}, you cannot sign in any more: your only passkey is not synced. ` +
      `Add another one, on a phone, on ${others} or in a password manager.`,
    tone: 'warn',
  };
}
