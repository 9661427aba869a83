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
 * @returns {{ key: string, tone: 'good' | 'warn' }}
 */
export function backupAdvice(passkeys) {
  if (passkeys.some((passkey) => passkey.backedUp)) {
    return { key: 'account.adviceSynced', tone: 'good' };
  }
  if (passkeys.length > 1) {
    return { key: 'account.adviceSeveral', tone: 'good' };
  }
  return { key: passkeys.some(isOnSecurityKey) ? 'account.adviceKey' : 'account.adviceDevice', tone: 'warn' };
}
