// SPDX-License-Identifier: Apache-2.0
// The list of ceremonies: one line each, which opens a timeline of browser and service with the cause.

import { browserOf } from '/porchlight/passkey-names.js';
import { codeText, known } from './console-format.js';
import { invite } from './console-user-actions.js';
import { el } from './dom.js';
import { duration, timeOfDay } from './plot-format.js';
import { hasText, parts, text, texts } from './texts.js';
import { linkTo } from './console-views.js';
import { timeOf } from './times.js';

/** Causes of which a link may be the remedy. */
const INVITED = ['no_passkey', 'passkey_removed', 'unknown_credential', 'invited'];
/** Causes of which a mistyped name may be the reason. */
const UNKNOWN = ['unknown_user', 'recovery_unknown_user'];
/** Events that users cause themselves, unless an operator is named. */
const BY_USER = ['passkey_removed', 'enrollment_used', 'enrollment_ended', 'registration', 'device_link_issued', 'recovery_code_used'];
/** Events that say what the token of an enrollment was issued for, and the title. */
const TITLES = { device_link_issued: 'device', recovery_code_used: 'recovery' };
/** Values of events that are not translated. */
const ENGLISH = ['detail', 'expected', 'found'];

/** @param {string} ceremony @param {string | undefined} user @returns {string} */
export function ceremonyTitle(ceremony, user) {
  const title = text(`console.ceremony.${ceremony}`);
  return user ? text('console.by', { ceremony: title, user }) : title;
}

/** @param {any} ceremony @param {boolean} open @returns {HTMLElement} */
export function ceremonyCard(ceremony, open) {
  const last = ceremony.events[ceremony.events.length - 1];
  const line = el('summary', {},
    el('code', { class: 'code' }, ceremony.supportCode),
    el('span', { class: `badge ${ceremony.state}` }, text(`console.state.${ceremony.state}`)),
    cardTitle(ceremony),
    el('time', { datetime: new Date(last.at).toISOString() }, timeOfDay(last.at)));
  return el('details', {
    class: 'ceremony', open, 'data-code': ceremony.supportCode, 'data-state': ceremony.state, 'data-trace': ceremony.traceId,
  }, line, cardBody(ceremony));
}

/** @param {any} ceremony */
const cardTitle = ({ ceremony, user, cause, facts }) => el('span', { class: 'title' }, ceremonyTitle(facts.map((/** @type {any} */ { name }) => TITLES[name]).find(Boolean) ?? ceremony, user),
  cause ? el('span', { class: 'reason' }, `: ${codeText(cause.code)}`) : '');

/** Whether no user has the typed name, so that there is nothing to show. @param {any} ceremony */
const isUnknown = ({ cause, facts }) => UNKNOWN.includes(cause?.code) && !facts.some((/** @type {any} */ { name }) => name === 'passkeys_now');

/** @param {any} ceremony */
function cardBody(ceremony) {
  const subject = isUnknown(ceremony) ? '' : ceremony.subject;
  return el('div', { class: 'ceremony-body' },
    causeBox(ceremony),
    ceremony.facts.length === 0 ? undefined : el('dl', { class: 'facts' }, ...ceremony.facts.flatMap(fact)),
    subject ? el('p', { class: 'actions' },
      ceremony.ceremony === 'enrollment' || INVITED.includes(ceremony.cause?.code) ? el('button', { class: 'small', type: 'button', 'data-invite': subject, 'data-needs': 'support', click: () => invite(subject) }, text('console.user.invite')) : undefined,
      el('a', { class: 'show-user', href: linkTo('users', subject) }, ...parts('console.explain.user', { user: el('bdi', {}, subject) }))) : undefined,
    el('ol', { class: 'timeline' }, ...byStart(ceremony.events).map(eventItem)),
    ceremony.kept ? el('p', {}, el('button', { class: 'small', type: 'button', 'data-explain': ceremony.traceId, 'data-needs': 'support' }, text('console.explain.button'))) : undefined,
    el('p', { class: 'soft trace' }, ...parts(ceremony.events.some((/** @type {any} */ event) => event.claimed) ? 'console.trace.claimed' : 'console.trace.id', { id: el('code', {}, ceremony.traceId) })));
}

/** @param {string} name @param {string} value @returns {any[]} */
const factValue = (name, value) => (name === 'closest_names'
  ? value.split(', ').flatMap((user, i) => [i === 0 ? '' : ', ', el('a', { href: linkTo('users', user) }, el('bdi', {}, user))])
  : [el('bdi', {}, name === 'enrollment_ended' ? known(`console.action.${value}`, value) : value)]);

/** An event with its time and operator, or a text. @param {any} known */
const fact = ({ name, at, by, text: value }) => [el('dt', {}, text(hasText(`console.fact.${name}`) ? `console.fact.${name}` : `console.action.${name}`)),
  el('dd', { 'data-fact': name }, ...(value === '' ? [] : [...factValue(name, value), at === 0 ? '' : ' ']),
    ...(at === 0 ? [] : by !== '' ? parts('console.fact.by', { time: timeOf(at), operator: el('bdi', {}, by) })
      : BY_USER.includes(name) ? parts('console.fact.byUser', { time: timeOf(at) }) : [timeOf(at)]))];

/** Sorts by start time: the browser reports after the service. @param {any[]} events */
const byStart = (events) => [...events].sort((a, b) => a.at - b.at);

/** @param {any} ceremony */
function causeBox(ceremony) {
  const cause = ceremony.cause;
  if (!cause) {
    return el('p', { class: 'soft' }, text(ceremony.state === 'pending' ? 'console.cause.pending' : 'console.cause.none'));
  }
  const bad = ceremony.state === 'refused' || cause.code === 'config';
  return el('div', { class: `message cause ${bad ? 'bad' : 'warn'}`, 'data-cause': cause.code },
    el('p', {}, el('b', {}, cause.what), ` ${cause.advice}`),
    cause.settings.length === 0 ? undefined : el('div', {}, text(cause.settings.length === 1 ? 'console.setting.one' : 'console.setting.several'),
      el('ul', { class: 'settings' }, ...cause.settings.map((/** @type {string} */ name) => setting(name, ceremony.settings?.[name])))));
}

/** @param {string} name @param {string | undefined} value the current value, if known */
export const setting = (name, value) => el('li', { 'data-setting': name },
  ...parts(value === undefined ? 'console.setting.name' : value === '' ? 'console.setting.unset' : 'console.setting.value',
    { name: el('code', { class: 'setting' }, name), value: value && el('code', { class: 'value' }, value) }));

/** @param {any} event */
function eventItem(event) {
  const ok = event.outcome === 'ok';
  const server = event.side === 'server';
  const operation = event.reason?.startsWith('recovery_') ? 'recovery' : event.operation;
  const action = `console.event.${server ? operation : event.verified ? 'reported' : 'unverified'}`;
  const side = el('b', {}, text(server ? 'console.service' : 'console.browser'));
  const timing = { time: timeOfDay(event.at), duration: duration(event.tookMs) };
  const head = el('p', { class: 'event-head' },
    ...(hasText(action) ? parts(action, { side }) : [side, ` ${known(action, event.operation)}`]),
    ': ', el('span', { class: `outcome ${ok ? 'good' : 'bad'}` }, codeText(event.outcome)),
    el('span', { class: 'soft' }, ' ', text(server ? 'console.event.timing' : 'console.event.timingAfter', timing)));
  const facts = el('dl', { class: 'facts' }, ...[
    ['reason', event.reason && codeText(event.reason)],
    ['detail', event.detail],
    ['client', event.client],
    ['parameter', event.parameter],
    ['expected', event.expected],
    ['found', event.found],
    ['error', event.error],
    ['browser', event.browser && browserOf(texts, event.browser)],
    ['origin', event.origin],
    ['rpId', event.rpId],
    ['credential', event.credential],
    ['correlationId', server && event.correlationId], // a report is another request
  ].filter(([, value]) => value).flatMap(([name, value]) => [el('dt', {}, text(`console.fact.${name}`)), el('dd', {}, el('bdi', { lang: ENGLISH.includes(name) && 'en' }, value))]));
  // The origin is checked twice.
  const steps = [...new Map((event.steps ?? []).map((/** @type {any} */ step) => [step.step, step])).values()].map((/** @type {any} */ step) =>
    el('li', { class: `step ${step.passed ? 'passed' : 'failed'}`, 'data-step': step.step, 'data-passed': step.passed, title: `${step.passed ? '' : `${step.step}, `}${duration(step.tookMs)}` },
      el('span', { 'aria-hidden': 'true' }, step.passed ? '✓' : '✗'),
      el('span', { class: 'visually-hidden' }, `${text(step.passed ? 'console.step.passed' : 'console.step.refused')}: `),
      stepName(step)));
  return el('li', { class: `event ${event.side} ${ok ? 'good' : 'bad'}`, 'data-side': event.side, 'data-outcome': event.outcome },
    head, steps.length > 0 ? el('ol', { class: 'steps', 'aria-label': text('console.steps') }, ...steps) : undefined, facts);
}

/** @param {{ step: string, name: string }} step @returns {string} */
export const stepName = ({ step, name }) => known(`console.code.${step}.check`, name);

/** Updates a list in place, so that open or focused entries stay. */
export class CeremonyList {
  /** @param {HTMLElement} list @param {(traceId: string) => Promise<any>} [explain] finds what the list does not have, for an entry that is opened */
  constructor(list, explain) {
    this.list = list;
    this.explain = explain;
    /** @type {Map<string, { json: string, card: any }>} */
    this.cards = new Map();
  }

  /** Forgets open entries, which would otherwise stay. */
  clear() {
    this.cards.clear();
  }

  /** @param {any} ceremony @param {boolean} open */
  #card(ceremony, open) {
    const card = ceremonyCard(ceremony, open);
    card.addEventListener('toggle', async () => {
      const found = /** @type {HTMLDetailsElement} */ (card).open ? await this.explain?.(ceremony.traceId).catch(() => undefined) : undefined;
      if (found) {
        card.querySelector('.title')?.replaceWith(cardTitle(found));
        card.querySelector('.ceremony-body')?.replaceWith(cardBody(found));
      }
    });
    return card;
  }

  /** @param {any[]} ceremonies @param {string} emptyText @param {boolean} [open] */
  show(ceremonies, emptyText, open = false) {
    /** @type {Map<string, { json: string, card: any }>} */
    const next = new Map();
    for (const ceremony of ceremonies) {
      const json = JSON.stringify(ceremony);
      const existing = this.cards.get(ceremony.traceId);
      next.set(ceremony.traceId, existing?.json === json ? existing : { json, card: this.#card(ceremony, existing?.card.open ?? open) });
    }
    for (const [traceId, existing] of this.cards) {
      if (existing.card.open && !open && !next.has(traceId)) {
        next.set(traceId, existing); // the operator is reading it
      }
    }
    this.cards = next;
    const wanted = next.size > 0 ? [...next.values()].map(({ card }) => card) : emptyText === '' ? [] : [el('p', { class: 'soft none' }, emptyText)];
    [...this.list.children].filter((child) => !wanted.includes(child)).forEach((child) => child.remove());
    wanted.forEach((card, i) => {
      if (this.list.children[i] !== card) {
        this.list.insertBefore(card, this.list.children[i] ?? null);
      }
    });
  }
}
