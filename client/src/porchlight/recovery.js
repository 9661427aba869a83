// SPDX-License-Identifier: Apache-2.0
// The choices after a failed ceremony: two or three for each error.

/**
 * The choices that a page supports.
 * @typedef {{ label: string, id?: string, run: () => void }} Choice
 * @typedef {{ again: Choice, phone?: Choice, signIn?: Choice, signUp?: Choice, otherWays?: Choice, rename?: Choice, reload: Choice, help?: Choice }} Choices
 * @typedef {'good' | 'warn' | 'bad' | ''} Tone
 */

/** @type {Record<string, { order: (keyof Choices)[], tone?: Tone, code?: boolean }>} */
const RECOVERY = {
  insecure: { order: ['reload'], tone: 'bad', code: true },
  unsupported: { order: ['phone', 'again'], code: true },
  blocked: { order: ['again', 'phone', 'otherWays', 'signIn'], code: true },
  dismissed: { order: ['again', 'phone', 'signUp', 'otherWays', 'signIn'], tone: '' },
  timeout: { order: ['again', 'phone', 'otherWays', 'signIn'], tone: '' },
  duplicate: { order: ['signIn'], tone: 'good' },
  config: { order: ['reload'], tone: 'bad', code: true },
  authenticator: { order: ['again', 'phone'], code: true },
  expired: { order: ['again', 'phone'], code: true },
  refused: { order: ['again', 'phone', 'signUp', 'otherWays', 'signIn'], tone: 'bad', code: true },
  exists: { order: ['signIn', 'rename'], tone: '', code: true },
  closed: { order: ['signIn'], code: true },
  limited: { order: ['again'], code: true },
  unavailable: { order: ['again'], tone: 'bad', code: true },
  network: { order: ['again'] },
};

/** @type {typeof RECOVERY['limited']} */
const UNEXPECTED = { order: ['again', 'reload'], tone: 'bad', code: true };
const MAX_CHOICES = 3;

/**
 * Returns two or three choices. Help is only added if there would be fewer than two, because the page always shows it.
 * @param {string} code of a `PasskeyError`
 * @param {Choices} available
 * @returns {{ choices: Choice[], tone: Tone, showsCode: boolean }}
 */
export function recoveryFor(code, available) {
  const { order, tone = 'warn', code: showsCode = false } = RECOVERY[code] ?? UNEXPECTED;
  const choices = order.map(name => available[name]).filter(choice => choice !== undefined).slice(0, MAX_CHOICES);
  return { choices: choices.length < 2 && available.help ? [...choices, available.help] : choices, tone, showsCode };
}
