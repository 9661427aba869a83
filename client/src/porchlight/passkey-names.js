// SPDX-License-Identifier: Apache-2.0
// The names of passkeys, chosen by the user, or else by provider, kind or browser; and advice about losing them.

/**
 * @typedef {import('./texts.js').Texts} Texts
 * @typedef {import('./account.js').Passkey} Passkey
 */

/** The names by AAGUID, when they are loaded. @type {Record<string, string>} */
const providers = {};

/** The first match wins, because most browsers also claim to be others. @type {[RegExp, string][]} */
const BROWSERS = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** @type {[RegExp, string][]} */
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** @param {Texts} texts @param {string} userAgent @returns {string} for example `Firefox on Windows`; never empty */
export function browserOf(texts, userAgent) {
  const named = list => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(BROWSERS) ?? (userAgent.split(/[\s/]/, 1)[0] || texts.text('account.application'));
  const system = named(SYSTEMS);
  return system ? texts.text('account.browser', { browser, system }) : browser;
}

/** Loads the names of providers. Without them, passkeys are named after their kind or browser. */
export async function loadProviders() {
  Object.assign(providers, await import('./providers.js').then(module => module.default, () => ({})));
}

/** @param {Passkey} passkey @returns {string | undefined} */
export const providerOf = ({ aaguid = '', authenticator }) => providers[aaguid] ?? authenticator?.name;

/** @param {Passkey} passkey @returns {boolean} whether it is on a security key rather than in a device */
export const isOnSecurityKey = ({ transports }) =>
  !transports.includes('internal') && transports.some(transport => ['usb', 'nfc', 'ble', 'smart-card'].includes(transport));

function defaultName(texts, passkey) {
  const device = passkey.userAgent ? browserOf(texts, passkey.userAgent) : texts.text('account.passkey');
  return providerOf(passkey) ?? (isOnSecurityKey(passkey) ? texts.text('account.securityKey') : device);
}

/**
 * Gives each passkey a title. Equal default names are numbered.
 * @param {Texts} texts
 * @param {Passkey[]} passkeys
 * @returns {(Passkey & { title: string })[]}
 */
export function withTitles(texts, passkeys) {
  const taken = new Set(passkeys.map(({ name }) => name));
  return passkeys.map(passkey => {
    const name = passkey.name ?? defaultName(texts, passkey);
    let title = name;
    for (let number = 2; passkey.name === undefined && taken.has(title); number++) title = `${name} (${number})`;
    taken.add(title);
    return { ...passkey, title };
  });
}

/**
 * Explains what happens if the user loses this device. Synced passkeys can be restored; others are lost with the device.
 * @param {Passkey[]} passkeys
 * @returns {{ key: string, tone: 'good' | 'warn' }}
 */
export function backupAdvice(passkeys) {
  if (passkeys.some(passkey => passkey.backedUp)) return { key: 'account.adviceSynced', tone: 'good' };
  if (passkeys.length > 1) return { key: 'account.adviceSeveral', tone: 'good' };
  return { key: passkeys.some(isOnSecurityKey) ? 'account.adviceKey' : 'account.adviceDevice', tone: 'warn' };
}
