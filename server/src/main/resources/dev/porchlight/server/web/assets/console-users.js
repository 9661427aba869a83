// SPDX-License-Identifier: Apache-2.0
// The Users view: a list, or one user.

import { loader, mainPanel, pagedTable } from './console-panels.js';
import { erasedView, userView } from './console-user.js';
import { invite } from './console-user-actions.js';
import { COLUMNS, listUsers, userRow } from './console-user-rows.js';
import { linkLeft } from './console-views.js';
import { byId, el } from './dom.js';
import { text } from './texts.js';

const PAGE_SIZE = 50;
const show = loader(byId('users'));

async function listView() {
  const load = (/** @type {string | undefined} */ after) => listUsers({ after, limit: PAGE_SIZE });
  const first = await load(undefined);
  const { list, more, status } = pagedTable(COLUMNS, first, ({ users }) => users.map(userRow), load);
  const inviteUser = async () => await invite() && show(listView);
  if (first.users.length === 0) {
    status.textContent = text('console.users.none');
  }
  return [mainPanel('users-title', [text('console.users.title')],
    el('button', { type: 'button', class: 'small', 'data-needs': 'support', click: inviteUser }, text('console.users.invite')),
    status, first.users.length === 0 ? undefined : list, el('div', {}, more))];
}

/** @param {string} userId @param {string} [done] */
function showUser(userId, done = '') {
  const events = {
    reload: (/** @type {string} */ message) => showUser(userId, message),
    erased: () => show(() => erasedView(userId), '#user-title'),
  };
  show(() => userView(userId, done, events), done === '' ? 'h2' : '#user-title');
}

/** @param {string} userId empty for the list @param {string} left */
export const showUsers = (userId, left) => (userId === '' ? show(listView, linkLeft('users', left)) : showUser(userId));
