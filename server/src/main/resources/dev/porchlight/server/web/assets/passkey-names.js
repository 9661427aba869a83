// SPDX-License-Identifier: Apache-2.0
// The names of passkeys: chosen by the user, or else by provider, kind or browser.

import { isOnSecurityKey } from './backup-advice.js';
import { browserOf } from './browsers.js';
import { text } from './texts.js';

/** @typedef {import('./passkey-card.js').Passkey} Passkey */

/** @type {Record<string, string>} */
let providers = {};

/** Loads the provider names, which are for display only. */
export async function loadProviders() {
  const response = await fetch('/assets/providers.json').catch(() => undefined);
  providers = response?.ok ? await response.json() : {};
}

/** @param {Passkey} passkey @returns {string | undefined} */
export const providerOf = ({ aaguid = '' }) => providers[aaguid];

/** @param {Passkey} passkey @returns {string} */
function defaultName(passkey) {
  const device = passkey.userAgent ? browserOf(passkey.userAgent) : text('account.passkey');
  return providerOf(passkey) ?? (isOnSecurityKey(passkey) ? text('account.securityKey') : device);
}

/**
 * Gives each passkey a title. Equal default names are numbered.
 * @param {Passkey[]} passkeys
 * @returns {(Passkey & { title: string })[]}
 */
export function withTitles(passkeys) {
  const taken = new Set(passkeys.map(({ name }) => name));
  return passkeys.map((passkey) => {
    const name = passkey.name ?? defaultName(passkey);
    let title = name;
    for (let number = 2; passkey.name === undefined && taken.has(title); number++) {
      title = `${name} (${number})`;
    }
    taken.add(title);
    return { ...passkey, title };
  });
}
