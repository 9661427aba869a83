// SPDX-License-Identifier: Apache-2.0
// One client in the console: settings, recent sign-ins and refusals, and actions.

import { textOf } from './console-api.js';
import { changeClient, readActivity, readClient, removeClient, rotateSecret } from './console-client-actions.js';
import { backLink, panel } from './console-panels.js';
import { find } from './console-search.js';
import { linkTo } from './console-views.js';
import { el } from './dom.js';
import { parts, plural, text } from './texts.js';
import { HOUR, timeOf } from './times.js';

/** What the audit log has instead of the name of an erased user. */
const ERASED = /^porchlight:/;

/** @param {any} client @returns {HTMLElement[]} */
export const badges = (client) => [
  el('span', { class: 'badge' }, text(client.public ? 'console.clients.isPublic' : 'console.clients.isConfidential')),
  ...(client.consent ? [el('span', { class: 'badge abandoned' }, text('console.clients.isThirdParty'))] : []),
];

/** @param {string[]} groups @returns {(Node | string)[]} links to the groups that may sign in */
export const allowed = (groups) => (groups.length === 0
  ? [text('console.clients.allUsers')]
  : groups.flatMap((group, i) => [...(i === 0 ? [] : [', ']), el('a', { href: linkTo('groups', group), dir: 'auto' }, group)]));

/**
 * @param {string} clientId
 * @param {{ done?: string, reload: (done: string) => void, removed: (name: string) => void }} events `done` is announced
 * @returns {Promise<HTMLElement[]>} the content of the view
 */
export async function clientView(clientId, events) {
  const [client, activity] = await Promise.all([readClient(clientId), readActivity(clientId)]);
  return [
    backLink('clients', text('console.clients.back')),
    headPanel(client, events),
    el('div', { class: 'columns' }, settingsPanel(client), signInPanel(activity.logins)),
    refusalPanel(activity),
  ];
}

/** @param {any} client @param {{ done?: string, reload: (done: string) => void, removed: (name: string) => void }} events */
function headPanel(client, { done = '', reload, removed }) {
  const alert = el('div', { class: 'message bad', role: 'alert' });
  /** @param {string} label @param {() => Promise<boolean>} work @param {() => void} then */
  const action = (label, work, then) => el('button', {
    type: 'button', class: 'small',
    click: async () => {
      alert.textContent = '';
      try {
        if (await work()) {
          then();
        }
      } catch (error) {
        alert.textContent = textOf(error);
      }
    },
  }, label);
  const hasSecret = !client.public && client.jwks === undefined;
  return el('section', { class: 'card panel', 'aria-labelledby': 'client-title' },
    el('div', { class: 'between' }, el('h2', { id: 'client-title', tabindex: -1, dir: 'auto' }, client.name), el('p', { class: 'badges' }, ...badges(client))),
    el('p', { class: 'soft' }, ...parts('console.clients.added', { time: timeOf(client.createdAt) })),
    el('div', { class: 'message good', role: 'status' }, ...(done === '' ? [] : [done])), alert,
    el('div', { class: 'actions' },
      action(text('console.clients.change'), () => changeClient(client), () => reload(text('console.clients.changed'))),
      hasSecret ? action(text('console.clients.rotate'), () => rotateSecret(client), () => reload(text('console.clients.rotated'))) : undefined,
      action(text('console.clients.remove'), () => removeClient(client), () => removed(client.name))));
}

/** @param {any} client */
function settingsPanel(client) {
  const uris = (/** @type {string[]} */ list) => list.map((uri) => el('dd', { class: 'uri', dir: 'ltr' }, uri));
  const one = (/** @type {any[]} */ ...content) => [el('dd', {}, ...content)];
  const authentication = client.public ? 'console.clients.byNothing' : client.jwks === undefined ? 'console.clients.bySecret' : 'console.clients.byKey';
  /** @type {[string, HTMLElement[]][]} */
  const rows = [
    ['console.clients.id', uris([client.clientId])],
    ['console.clients.issuer', uris([client.issuer])],
    ['console.clients.redirectUris', uris(client.redirectUris)],
    ['console.clients.logoutUris', uris(client.logoutUris)],
    ['console.clients.backChannel', uris(client.backChannelLogoutUri === undefined ? [] : [client.backChannelLogoutUri])],
    ['console.clients.allowed', one(...allowed(client.groups))],
    ['console.clients.consent', one(text(client.consent ? 'console.clients.consentAsked' : 'console.clients.consentNotAsked'))],
    ['console.clients.session', one(plural('console.clients.hours', client.refreshSeconds / HOUR))],
    ['console.clients.algorithm', one(client.idTokenAlgorithm)],
    ['console.clients.authentication', one(text(authentication))],
  ];
  return panel('client-settings-title', text('console.clients.settings'), el('dl', { class: 'facts settings-list' },
    ...rows.filter(([, values]) => values.length > 0).flatMap(([name, values]) => [el('dt', {}, text(name)), ...values])));
}

/** @param {any[]} signIns */
function signInPanel(signIns) {
  return panel('client-sign-ins-title', text('console.clients.signIns'), signIns.length === 0
    ? text('console.clients.noSignIns')
    : el('ul', { class: 'items', id: 'client-sign-ins' }, ...signIns.map(({ at, userId }) =>
      el('li', {}, userLink(userId), el('span', { class: 'soft' }, timeOf(at))))));
}

/** @param {string} userId */
const userLink = (userId) => (ERASED.test(userId)
  ? el('span', { class: 'soft' }, text('console.clients.erasedUser'))
  : el('a', { href: linkTo('users', userId), dir: 'auto' }, userId));

/** @param {{ refusals: any[], complete: boolean }} activity */
function refusalPanel({ refusals, complete }) {
  return panel('client-refusals-title', text('console.clients.refusals'),
    complete ? undefined : text('console.find.incomplete'),
    refusals.length === 0 ? text('console.clients.noRefusals') : el('ul', { class: 'items', id: 'client-refusals' }, ...refusals.map(refusalItem)));
}

/** @param {any} refusal */
function refusalItem({ at, supportCode, reason, sentence, advice, parameter, expected, found, userId }) {
  const facts = [['console.fact.parameter', parameter], ['console.fact.expected', expected], ['console.fact.found', found]].filter(([, value]) => value);
  return el('li', { 'data-reason': reason, 'data-code': supportCode },
    el('div', {},
      el('p', { class: 'item-title' }, sentence),
      el('p', { class: 'soft' }, timeOf(at), ...(userId === '' ? [] : [', ', userLink(userId)])),
      facts.length === 0 ? undefined
        : el('dl', { class: 'compared' }, ...facts.map(([term, value]) => el('div', {}, el('dt', {}, text(term)), el('dd', { dir: 'ltr' }, value)))),
      el('p', { class: 'soft' }, advice)),
    el('button', { type: 'button', class: 'small', 'aria-label': text('console.clients.findCode', { code: supportCode }), click: () => find(supportCode) },
      el('span', { class: 'code', dir: 'ltr' }, supportCode)));
}
