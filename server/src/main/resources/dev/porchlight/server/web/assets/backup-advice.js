// SPDX-License-Identifier: Apache-2.0
// Advice about losing a device, based on where the passkeys are stored.

/** @typedef {{ transports: string[], backedUp?: boolean }} Stored */

/** @param {Stored} passkey @returns {boolean} whether it is on a security key rather than in a device */
export const isOnSecurityKey = ({ transports }) =>
  !transports.includes('internal') && transports.some((transport) => ['usb', 'nfc', 'ble', 'smart-card'].includes(transport));

/**
 * Explains what happens if the user loses this device. Synced passkeys can be restored; others are lost with the device.
 *
 * @param {Stored[]} passkeys
 * @returns {{ text: string, tone: 'good' | 'warn' }}
 */
export function backupAdvice(passkeys) {
  if (passkeys.some((passkey) => passkey.backedUp)) {
    return {
      text: 'If you lose this device, sign in to your password manager on a new one. Your synced passkey will be there.',
      tone: 'good',
    };
  }
  if (passkeys.length > 1) {
    return {
      text: 'If you lose this device, use another passkey. None of yours are synced, so keep them in different places.',
      tone: 'good',
    };
  }
  const [lost, others] = passkeys.some(isOnSecurityKey) ? ['your security key', 'a second key'] : ['this device', 'a security key'];
  return {
    text:
      `If you lose ${lost}, you can’t sign in anymore, because your only passkey isn’t synced. ` +
      `Add another one on a phone, on ${others}, or in a password manager.`,
    tone: 'warn',
  };
}
