// SPDX-License-Identifier: Apache-2.0
// The choices after a failed ceremony: two or three for each error.

/**
 * The choices that a page supports.
 * @typedef {{ label: string, id?: string, run: () => void }} Choice
 * @typedef {{ again: Choice, address?: Choice, phone?: Choice, signIn?: Choice, signUp?: Choice, otherWays?: Choice, rename?: Choice, reload: Choice, help?: Choice }} Choices
 * @typedef {'good' | 'warn' | 'bad' | ''} Tone
 */

/** @type {Record<string, { order: (keyof Choices)[], tone?: Tone }>} */
const RECOVERY = {
  insecure: { order: ['address', 'reload'], tone: 'bad' },
  unsupported: { order: ['phone', 'again'] },
  blocked: { order: ['again', 'phone', 'otherWays', 'signIn'] },
  dismissed: { order: ['again', 'phone', 'signUp', 'otherWays', 'signIn'], tone: '' },
  timeout: { order: ['again', 'phone', 'otherWays', 'signIn'], tone: '' },
  duplicate: { order: ['signIn'], tone: 'good' },
  config: { order: ['address', 'reload'], tone: 'bad' },
  authenticator: { order: ['again', 'phone'] },
  expired: { order: ['again', 'phone'] },
  refused: { order: ['again', 'phone', 'signUp', 'otherWays', 'signIn'], tone: 'bad' },
  exists: { order: ['signIn', 'rename'], tone: '' },
  closed: { order: ['signIn'] },
  limited: { order: ['again'] },
  unavailable: { order: ['again'], tone: 'bad' },
  network: { order: ['again'] },
};

/** @type {typeof RECOVERY['limited']} */
const UNEXPECTED = { order: ['again', 'reload'], tone: 'bad' };
const MAX_CHOICES = 3;

/**
 * Returns two or three choices. Help is only added if there would be fewer than two, because the page always shows it.
 * @param {string} code of a `PasskeyError`
 * @param {Choices} available
 * @returns {{ choices: Choice[], tone: Tone }}
 */
export function recoveryFor(code, available) {
  const { order, tone = 'warn' } = RECOVERY[code] ?? UNEXPECTED;
  const choices = order.map(name => available[name]).filter(choice => choice !== undefined).slice(0, MAX_CHOICES);
  return { choices: choices.length < 2 && available.help ? [...choices, available.help] : choices, tone };
}

/**
 * Offers this page at the right address, if the error names it.
 * @param {import('./element.js').PorchlightElement} element
 * @param {{ origin?: string }} error
 * @returns {Choice | undefined}
 */
export function addressChoice(element, { origin }) {
  const run = () => location.assign(origin + location.pathname + location.search);
  return origin === undefined ? undefined : { label: element.text('signin.goTo', { origin }), id: 'go-to-origin', run };
}
