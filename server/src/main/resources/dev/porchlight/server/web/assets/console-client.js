// SPDX-License-Identifier: Apache-2.0
// One client in the console: settings, recent sign-ins and refusals, and actions.

import { changeClient, readActivity, readClient, removeClient, rotateSecret } from './console-client-actions.js';
import { actionButtons, backLink, comparison, doneMessage, links, listPanel, mainPanel, panel } from './console-panels.js';
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
  ...(client.profile === 'basic' ? [el('span', { class: 'badge abandoned' }, text('console.clients.isWeaker'))] : []),
  ...(client.consent ? [el('span', { class: 'badge abandoned' }, text('console.clients.isThirdParty'))] : []),
];

/** @param {string[]} groups @returns {(Node | string)[]} links to the groups that may sign in */
export const allowed = (groups) => (groups.length === 0 ? [text('console.clients.allUsers')] : links('groups', groups.map((item) => ({ item }))));

/** @typedef {{ reload: (done: string) => void, removed: (name: string) => void }} Events */

/** @param {string} clientId @param {string} done what was done, to announce @param {Events} events @returns {Promise<HTMLElement[]>} the content of the view */
export async function clientView(clientId, done, events) {
  const [client, { logins, refusals, complete }] = await Promise.all([readClient(clientId), readActivity(clientId)]);
  return [
    backLink('clients', text('console.clients.back')),
    headPanel(client, done, events),
    el('div', { class: 'columns' }, settingsPanel(client), listPanel('client-sign-ins', text('console.clients.signIns'), logins, signInItem, text('console.clients.noSignIns'))),
    listPanel('client-refusals', text('console.clients.refusals'), refusals, refusalItem, text('console.clients.noRefusals'), complete ? undefined : text('console.find.incomplete')),
  ];
}

/** @param {import('openapi').Client} client @param {string} done @param {Events} events */
function headPanel(client, done, { reload, removed }) {
  const hasSecret = !client.public && client.jwks === undefined;
  return mainPanel('client-title', [client.name], el('p', { class: 'badges' }, ...badges(client)),
    el('p', { class: 'soft' }, ...parts('console.clients.added', { time: timeOf(client.createdAt) })),
    doneMessage(done),
    ...actionButtons(
      [text('console.clients.change'), () => changeClient(client), () => reload(text('console.clients.changed')), '', 'manage'],
      hasSecret ? [text('console.clients.rotate'), () => rotateSecret(client), () => reload(text('console.clients.rotated')), '', 'own'] : undefined,
      [text('console.clients.remove'), () => removeClient(client), () => removed(client.name), '', 'manage']));
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
    ['console.clients.claims', one(client.claims.join(', ') || text('console.clients.noClaims'))],
    ['console.clients.consent', one(text(client.consent ? 'console.clients.consentAsked' : 'console.clients.consentNotAsked'))],
    ['console.clients.session', one(plural('console.clients.hours', client.refreshSeconds / HOUR))],
    ['console.clients.algorithm', one(client.idTokenAlgorithm)],
    ['console.clients.profile', one(client.profile)],
    ['console.clients.authentication', one(text(authentication))],
  ];
  return panel('client-settings-title', text('console.clients.settings'), el('dl', { class: 'facts settings-list' },
    ...rows.filter(([, values]) => values.length > 0).flatMap(([name, values]) => [el('dt', {}, text(name)), ...values])));
}

/** @param {{ at: number, userId: string }} signIn */
const signInItem = ({ at, userId }) => el('li', {}, userLink(userId), el('span', { class: 'soft' }, timeOf(at)));

/** @param {string} userId */
const userLink = (userId) => (ERASED.test(userId)
  ? el('span', { class: 'soft' }, text('console.clients.erasedUser'))
  : el('a', { href: linkTo('users', userId), dir: 'auto' }, userId));

/** @param {any} refusal */
function refusalItem({ at, supportCode, reason, sentence, advice, parameter, expected, found, userId }) {
  return el('li', { 'data-reason': reason, 'data-code': supportCode },
    el('div', {},
      el('p', { class: 'item-title' }, sentence),
      el('p', { class: 'soft' }, timeOf(at), ...(userId === '' ? [] : [', ', userLink(userId)])),
      comparison({ 'console.fact.parameter': parameter, 'console.fact.expected': expected, 'console.fact.found': found }),
      el('p', { class: 'soft' }, advice)),
    el('button', { type: 'button', class: 'small', 'aria-label': text('console.clients.findCode', { code: supportCode }), click: () => find(supportCode) },
      el('span', { class: 'code', dir: 'ltr' }, supportCode)));
}
