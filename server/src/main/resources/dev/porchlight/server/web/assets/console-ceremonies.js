// SPDX-License-Identifier: Apache-2.0
// Ceremonies as the console shows them: one line each, and behind it a timeline of both sides with the cause.

import { el } from './dom.js';

const STATES = { refused: 'Refused', broken_off: 'Broken off', passed: 'Passed', waiting: 'Open' };
const ACTS = {
  login_options: 'gave out options for signing in',
  login: 'judged the sign-in',
  registration_options: 'gave out options for a new passkey',
  registration: 'judged the new passkey',
};

/** @param {string} code */
export const words = (code) => code.replaceAll('_', ' ');

/** @param {number} time */
export const exactly = (time) => new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** @param {number} ms */
const took = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(ms < 1 ? 2 : 1)} ms`);

/** @param {any} ceremony @param {boolean} open @returns {HTMLElement} */
export function ceremonyCard(ceremony, open) {
  const last = ceremony.events[ceremony.events.length - 1];
  const user = ceremony.events.map((/** @type {any} */ event) => event.user).find(Boolean);
  const line = el('summary', {},
    el('code', { class: 'code' }, ceremony.supportCode),
    el('span', { class: `badge ${ceremony.state}` }, STATES[/** @type {keyof STATES} */ (ceremony.state)]),
    el('span', { class: 'what' }, ceremony.ceremony === 'login' ? 'Sign-in' : 'New passkey', user ? ` of ${user}` : '',
      ceremony.cause ? el('span', { class: 'why' }, `: ${words(ceremony.cause.code)}`) : ''),
    el('time', { datetime: new Date(last.at).toISOString() }, exactly(last.at)));
  return el('details', {
    class: 'ceremony', open, 'data-code': ceremony.supportCode, 'data-state': ceremony.state, 'data-trace': ceremony.traceId,
  }, line, el('div', { class: 'ceremony-body' },
    causeBox(ceremony),
    el('ol', { class: 'timeline' }, ...inOrder(ceremony.events).map(eventItem)),
    ceremony.kept ? el('p', {}, el('button', { class: 'small', type: 'button', 'data-explain': ceremony.traceId }, 'Explain every step')) : undefined,
    el('p', { class: 'soft trace' }, 'Trace ', el('code', {}, ceremony.traceId),
      ceremony.events.some((/** @type {any} */ event) => event.claimed) ? '. The client chose it, and with it the support code.' : '')));
}

/** By when each began: the browser tells last what began first. @param {any[]} events */
const inOrder = (events) => [...events].sort((a, b) => a.at - b.at);

/** @param {any} ceremony */
function causeBox(ceremony) {
  const cause = ceremony.cause;
  if (!cause) {
    const text = ceremony.state === 'waiting' ? 'Options were given out. No answer has come.' : 'It went well.';
    return el('p', { class: 'soft' }, text);
  }
  const bad = ceremony.state === 'refused' || cause.code === 'config';
  return el('div', { class: `message cause ${bad ? 'bad' : 'warn'}`, 'data-cause': cause.code },
    el('p', {}, el('b', {}, cause.what), ` ${cause.advice}`),
    cause.settings.length === 0 ? undefined : el('div', {}, cause.settings.length === 1 ? 'Setting to look at:' : 'Settings to look at:',
      el('ul', { class: 'settings' }, ...cause.settings.map((/** @type {string} */ name) => setting(name, ceremony.settings?.[name])))));
}

/** @param {string} name @param {string | undefined} value what it is now, where that is told */
export const setting = (name, value) => el('li', { 'data-setting': name }, el('code', { class: 'setting' }, name),
  ...(value === undefined ? [] : value === '' ? [' is not set'] : [' is ', el('code', { class: 'value' }, value)]));

/** @param {any} event */
function eventItem(event) {
  const good = event.outcome === 'ok';
  const server = event.side === 'server';
  const head = el('p', { class: 'event-head' },
    el('b', {}, server ? 'Service' : 'Browser'), ' ',
    server ? ACTS[/** @type {keyof ACTS} */ (event.act)] ?? words(event.act) : event.verified ? 'reported' : 'reported, unverified:',
    ' ', el('span', { class: `outcome ${good ? 'good' : 'bad'}` }, words(event.outcome)),
    el('span', { class: 'soft' }, ` ${exactly(event.at)}, ${server ? '' : 'after '}${took(event.tookMs)}`));
  const facts = el('dl', { class: 'facts' }, ...[
    ['Why', event.reason && words(event.reason)],
    ['Detail', event.detail],
    ['Error', event.error],
    ['Page', event.origin],
    ['RP ID', event.rpId],
    ['Passkey', event.credential],
    ['Correlation id', event.correlationId],
  ].filter(([, value]) => value).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
  const steps = (event.steps ?? []).map((/** @type {any} */ step) =>
    el('li', { class: `step ${step.passed ? 'passed' : 'failed'}`, 'data-step': step.step, 'data-passed': step.passed, title: `${step.passed ? '' : `${step.step}, `}${took(step.tookMs)}` },
      el('span', { 'aria-hidden': 'true' }, step.passed ? '✓' : '✗'),
      el('span', { class: 'unseen' }, step.passed ? 'passed: ' : 'refused: '),
      step.name));
  return el('li', { class: `event ${event.side} ${good ? 'good' : 'bad'}`, 'data-side': event.side, 'data-outcome': event.outcome },
    head, steps.length > 0 ? el('ol', { class: 'steps', 'aria-label': 'Steps' }, ...steps) : undefined, facts);
}

/** A list that changes as little as it can, so that what somebody has open or in focus stays. */
export class CeremonyList {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    /** @type {Map<string, { text: string, card: any }>} */
    this.cards = new Map();
  }

  /** @param {any[]} ceremonies @param {string} none what to say when there are none @param {boolean} [open] */
  show(ceremonies, none, open = false) {
    /** @type {Map<string, { text: string, card: any }>} */
    const next = new Map();
    for (const ceremony of ceremonies) {
      const text = JSON.stringify(ceremony);
      const known = this.cards.get(ceremony.traceId);
      next.set(ceremony.traceId, known?.text === text ? known : { text, card: ceremonyCard(ceremony, known?.card.open ?? open) });
    }
    for (const [traceId, known] of this.cards) {
      if (known.card.open && !open && !next.has(traceId)) {
        next.set(traceId, known); // somebody reads it
      }
    }
    this.cards = next;
    const wanted = next.size > 0 ? [...next.values()].map(({ card }) => card) : [el('p', { class: 'soft none' }, none)];
    [...this.list.children].filter((child) => !wanted.includes(child)).forEach((child) => child.remove());
    wanted.forEach((card, i) => {
      if (this.list.children[i] !== card) {
        this.list.insertBefore(card, this.list.children[i] ?? null);
      }
    });
  }
}
