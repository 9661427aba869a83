// SPDX-License-Identifier: Apache-2.0
// Users as rows of a table.

import { call, query } from './console-api.js';
import { linkTo } from './console-views.js';
import { breakable, el } from './dom.js';
import { numberText, text } from './texts.js';
import { timeOf } from './times.js';

export const COLUMNS = ['console.users.user', 'console.users.state', 'console.users.passkeys', 'console.users.lastSignIn'].map((key) => text(key));

/** @param {{ query?: string, after?: string, limit: number }} page @returns {Promise<import('openapi').Users>} */
export const listUsers = (page) => call(`/admin/users${query(page)}`);

/** @param {import('openapi').User | import('openapi').UserDetails} user @returns {HTMLElement} the badge of a user's state */
export const stateBadge = ({ locked, passkeyCount }) =>
  el('span', { class: `badge ${locked ? 'refused' : passkeyCount === 0 ? '' : 'succeeded'}` }, text(locked ? 'console.users.locked' : passkeyCount === 0 ? 'console.users.noPasskey' : 'console.users.active'));

/** Empty for a user who never signed in and has no passkey. @param {import('openapi').User} user @returns {HTMLElement | string} */
function lastSignIn({ passkeyCount, lastUsedAt }) {
  if (lastUsedAt === undefined) {
    return passkeyCount === 0 ? '' : el('span', { class: 'soft' }, text('console.users.notSinceRegistration'));
  }
  return timeOf(lastUsedAt);
}

/** @param {import('openapi').User | import('openapi').UserDetails} user @returns {string[]} the name and the email, if they are not the user id */
export const known = ({ userId, name, displayName, email }) => [name ?? displayName, email].flatMap((part) => (part && part !== userId ? [part] : []));

/** @param {import('openapi').User} user @returns {HTMLElement} */
export const userRow = (user) => el('tr', { 'data-user': user.userId },
  el('th', { scope: 'row' }, el('a', { href: linkTo('users', user.userId) }, ...breakable(user.userId)),
    ...known(user).map((part) => el('span', { class: 'soft display-name' }, part))),
  el('td', { class: 'corner' }, stateBadge(user)),
  el('td', { class: 'number' }, numberText(user.passkeyCount)),
  el('td', {}, lastSignIn(user)));
