// SPDX-License-Identifier: Apache-2.0
// The choices after a failed ceremony: at least two for each error.

/**
 * The choices that a page supports.
 * @typedef {import('./messages.js').Choice} Choice
 * @typedef {{ again: Choice, phone?: Choice, signIn?: Choice, signUp?: Choice, rename?: Choice, correctOrigin?: Choice, reload: Choice, help: Choice }} Choices
 * @typedef {import('./messages.js').Tone} Tone
 */

/** @type {Record<string, { order: (keyof Choices)[], tone?: Tone, code?: boolean }>} */
const RECOVERY = {
  insecure: { order: ['correctOrigin', 'reload', 'help'], tone: 'bad' },
  unsupported: { order: ['phone', 'again', 'help'], code: true },
  blocked: { order: ['again', 'phone', 'signUp', 'help'], code: true },
  dismissed: { order: ['again', 'phone', 'signUp', 'signIn', 'help'], tone: '' },
  timeout: { order: ['again', 'phone', 'signIn', 'help'], tone: '' },
  duplicate: { order: ['signIn', 'help'], tone: 'good' },
  config: { order: ['correctOrigin', 'reload', 'help'], tone: 'bad', code: true },
  authenticator: { order: ['again', 'phone', 'help'], code: true },
  expired: { order: ['again', 'phone', 'help'], code: true },
  refused: { order: ['again', 'phone', 'help'], tone: 'bad', code: true },
  exists: { order: ['signIn', 'rename'], tone: '' },
  closed: { order: ['signIn', 'help'] },
  limited: { order: ['again', 'help'], code: true },
  unavailable: { order: ['again', 'help'], tone: 'bad', code: true },
  network: { order: ['again', 'help'] },
};

const UNEXPECTED = { order: /** @type {(keyof Choices)[]} */ (['again', 'reload', 'help']), tone: 'bad', code: true };

/**
 * @param {string} code of a `PasskeyError`
 * @param {Choices} available
 * @returns {{ choices: Choice[], tone: Tone, showsCode: boolean }}
 */
export function recoveryFor(code, available) {
  const { order, tone = 'warn', code: showsCode = false } = RECOVERY[code] ?? UNEXPECTED;
  return { choices: order.map((name) => available[name]).filter((choice) => choice !== undefined), tone, showsCode };
}
