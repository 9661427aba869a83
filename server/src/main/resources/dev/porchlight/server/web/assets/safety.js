// SPDX-License-Identifier: Apache-2.0

/**
 * What becomes of somebody who loses this device, from what the service knows of the passkeys. Passkeys that are synced
 * come back with their password manager; the others stay where they are.
 *
 * @param {{ backedUp?: boolean }[]} passkeys
 * @returns {{ text: string, tone: 'good' | 'warn' }}
 */
export function safety(passkeys) {
  const synced = passkeys.filter((passkey) => passkey.backedUp).length;
  if (synced > 0) {
    return {
      text: 'If you lose this device: sign in to your password manager on a new one, and your synced passkey is there.',
      tone: 'good',
    };
  }
  if (passkeys.length > 1) {
    return {
      text: 'If you lose this device: use a passkey on another one. None of yours is synced, so keep them in different places.',
      tone: 'good',
    };
  }
  return {
    text: 'If you lose this device, you cannot sign in any more: your only passkey is not synced. Add another one, on a phone, a security key or in a password manager.',
    tone: 'warn',
  };
}
