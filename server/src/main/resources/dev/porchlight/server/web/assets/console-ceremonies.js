// SPDX-License-Identifier: Apache-2.0
// The list of ceremonies: one line each, which opens a timeline of browser and service with the cause.

import { el } from './dom.js';

const STATES = { refused: 'Refused', broken_off: 'Abandoned', passed: 'Succeeded', waiting: 'Pending' };
const OPERATIONS = {
  login_options: 'issued sign-in options',
  login: 'checked the sign-in',
  registration_options: 'issued registration options',
  registration: 'checked the new passkey',
};
const TITLES = { login: 'Sign-in', registration: 'New passkey', openid: 'Application sign-in' };

/** @param {string} code */
export const toWords = (code) => code.replaceAll('_', ' ');

/** @param {number} time */
export const timeOfDay = (time) => new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** @param {number} ms */
const duration = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(ms < 1 ? 2 : 1)} ms`);

/** @param {any} ceremony @param {boolean} open @returns {HTMLElement} */
export function ceremonyCard(ceremony, open) {
  const last = ceremony.events[ceremony.events.length - 1];
  const user = ceremony.events.map((/** @type {any} */ event) => event.user).find(Boolean);
  const line = el('summary', {},
    el('code', { class: 'code' }, ceremony.supportCode),
    el('span', { class: `badge ${ceremony.state}` }, STATES[/** @type {keyof STATES} */ (ceremony.state)]),
    el('span', { class: 'title' }, TITLES[/** @type {keyof TITLES} */ (ceremony.ceremony)], user ? ` by ${user}` : '',
      ceremony.cause ? el('span', { class: 'reason' }, `: ${toWords(ceremony.cause.code)}`) : ''),
    el('time', { datetime: new Date(last.at).toISOString() }, timeOfDay(last.at)));
  return el('details', {
    class: 'ceremony', open, 'data-code': ceremony.supportCode, 'data-state': ceremony.state, 'data-trace': ceremony.traceId,
  }, line, el('div', { class: 'ceremony-body' },
    causeBox(ceremony),
    el('ol', { class: 'timeline' }, ...byStart(ceremony.events).map(eventItem)),
    ceremony.kept ? el('p', {}, el('button', { class: 'small', type: 'button', 'data-explain': ceremony.traceId }, 'Explain every step')) : undefined,
    el('p', { class: 'soft trace' }, 'Trace ', el('code', {}, ceremony.traceId),
      ceremony.events.some((/** @type {any} */ event) => event.claimed) ? '. The trace id and the support code were chosen by the client.' : '')));
}

/** Sorts by start time: the browser reports after the service. @param {any[]} events */
const byStart = (events) => [...events].sort((a, b) => a.at - b.at);

/** @param {any} ceremony */
function causeBox(ceremony) {
  const cause = ceremony.cause;
  if (!cause) {
    const text = ceremony.state === 'waiting' ? 'Options were issued. No response yet.' : 'Succeeded.';
    return el('p', { class: 'soft' }, text);
  }
  const bad = ceremony.state === 'refused' || cause.code === 'config';
  return el('div', { class: `message cause ${bad ? 'bad' : 'warn'}`, 'data-cause': cause.code },
    el('p', {}, el('b', {}, cause.what), ` ${cause.advice}`),
    cause.settings.length === 0 ? undefined : el('div', {}, cause.settings.length === 1 ? 'Related setting:' : 'Related settings:',
      el('ul', { class: 'settings' }, ...cause.settings.map((/** @type {string} */ name) => setting(name, ceremony.settings?.[name])))));
}

/** @param {string} name @param {string | undefined} value the current value, if known */
export const setting = (name, value) => el('li', { 'data-setting': name }, el('code', { class: 'setting' }, name),
  ...(value === undefined ? [] : value === '' ? [' is not set'] : [' is ', el('code', { class: 'value' }, value)]));

/** @param {any} event */
function eventItem(event) {
  const ok = event.outcome === 'ok';
  const server = event.side === 'server';
  const head = el('p', { class: 'event-head' },
    el('b', {}, server ? 'Service' : 'Browser'), ' ',
    server ? OPERATIONS[/** @type {keyof OPERATIONS} */ (event.act)] ?? toWords(event.act) : event.verified ? 'reported' : 'reported (unverified)',
    ': ', el('span', { class: `outcome ${ok ? 'good' : 'bad'}` }, toWords(event.outcome)),
    el('span', { class: 'soft' }, ` ${timeOfDay(event.at)}, ${server ? '' : 'after '}${duration(event.tookMs)}`));
  const facts = el('dl', { class: 'facts' }, ...[
    ['Reason', event.reason && toWords(event.reason)],
    ['Detail', event.detail],
    ['Application', event.client],
    ['Parameter', event.parameter],
    ['Expected', event.expected],
    ['Found', event.found],
    ['Error', event.error],
    ['Page', event.origin],
    ['RP ID', event.rpId],
    ['Passkey', event.credential],
    ['Correlation id', event.correlationId],
  ].filter(([, value]) => value).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
  const steps = (event.steps ?? []).map((/** @type {any} */ step) =>
    el('li', { class: `step ${step.passed ? 'passed' : 'failed'}`, 'data-step': step.step, 'data-passed': step.passed, title: `${step.passed ? '' : `${step.step}, `}${duration(step.tookMs)}` },
      el('span', { 'aria-hidden': 'true' }, step.passed ? '✓' : '✗'),
      el('span', { class: 'visually-hidden' }, step.passed ? 'passed: ' : 'refused: '),
      step.name));
  return el('li', { class: `event ${event.side} ${ok ? 'good' : 'bad'}`, 'data-side': event.side, 'data-outcome': event.outcome },
    head, steps.length > 0 ? el('ol', { class: 'steps', 'aria-label': 'Steps' }, ...steps) : undefined, facts);
}

/** Updates a list in place, so that open or focused entries stay. */
export class CeremonyList {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    /** @type {Map<string, { text: string, card: any }>} */
    this.cards = new Map();
  }

  /** Forgets open entries, which would otherwise stay. */
  clear() {
    this.cards.clear();
  }

  /** @param {any[]} ceremonies @param {string} emptyText @param {boolean} [open] */
  show(ceremonies, emptyText, open = false) {
    /** @type {Map<string, { text: string, card: any }>} */
    const next = new Map();
    for (const ceremony of ceremonies) {
      const text = JSON.stringify(ceremony);
      const existing = this.cards.get(ceremony.traceId);
      next.set(ceremony.traceId, existing?.text === text ? existing : { text, card: ceremonyCard(ceremony, existing?.card.open ?? open) });
    }
    for (const [traceId, existing] of this.cards) {
      if (existing.card.open && !open && !next.has(traceId)) {
        next.set(traceId, existing); // the operator is reading it
      }
    }
    this.cards = next;
    const wanted = next.size > 0 ? [...next.values()].map(({ card }) => card) : [el('p', { class: 'soft none' }, emptyText)];
    [...this.list.children].filter((child) => !wanted.includes(child)).forEach((child) => child.remove());
    wanted.forEach((card, i) => {
      if (this.list.children[i] !== card) {
        this.list.insertBefore(card, this.list.children[i] ?? null);
      }
    });
  }
}
