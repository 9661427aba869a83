// SPDX-License-Identifier: Apache-2.0
// What somebody can do after a ceremony that did not end well: at least two ways forward, whatever happened.

/**
 * What a page can offer. Each member is a way, or left out where the page has none such.
 * @typedef {import('./messages.js').Way} Way
 * @typedef {{ again: Way, phone?: Way, signIn?: Way, signUp?: Way, rename?: Way, there?: Way, reload: Way, help: Way }} Offers
 * @typedef {import('./messages.js').Tone} Tone
 */

/** @type {Record<string, { order: (keyof Offers)[], tone?: Tone, code?: boolean }>} */
const AFTER = {
  insecure: { order: ['there', 'reload', 'help'], tone: 'bad' },
  unsupported: { order: ['phone', 'again', 'help'], code: true },
  blocked: { order: ['again', 'phone', 'signUp', 'help'], code: true },
  dismissed: { order: ['again', 'phone', 'signUp', 'signIn', 'help'], tone: '' },
  timeout: { order: ['again', 'phone', 'signIn', 'help'], tone: '' },
  duplicate: { order: ['signIn', 'help'], tone: 'good' },
  config: { order: ['there', 'reload', 'help'], tone: 'bad', code: true },
  authenticator: { order: ['again', 'phone', 'help'], code: true },
  expired: { order: ['again', 'phone', 'help'], code: true },
  refused: { order: ['again', 'phone', 'help'], tone: 'bad', code: true },
  exists: { order: ['signIn', 'rename'], tone: '' },
  closed: { order: ['signIn', 'help'] },
  limited: { order: ['again', 'help'], code: true },
  unavailable: { order: ['again', 'help'], tone: 'bad', code: true },
  network: { order: ['again', 'help'] },
};

const UNFORESEEN = { order: /** @type {(keyof Offers)[]} */ (['again', 'reload', 'help']), tone: 'bad', code: true };

/**
 * @param {string} code of the helper's errors
 * @param {Offers} offers
 * @returns {{ ways: Way[], tone: Tone, showsCode: boolean }}
 */
export function waysAfter(code, offers) {
  const { order, tone = 'warn', code: showsCode = false } = AFTER[code] ?? UNFORESEEN;
  return { ways: order.map((name) => offers[name]).filter((way) => way !== undefined), tone, showsCode };
}
