// SPDX-License-Identifier: Apache-2.0
// The Users view: a list, or one user.

import { textOf } from './console-api.js';
import { showUser } from './console-user.js';
import { invite } from './console-user-actions.js';
import { listUsers, userRow } from './console-user-rows.js';
import { addView, linkLeft } from './console-views.js';
import { byId } from './dom.js';
import { text } from './texts.js';

const PAGE_SIZE = 50;
/** @type {string | undefined} */
let next;

/** @param {boolean} more whether to add a page to those shown @param {string} [focus] a selector of the link to focus */
async function load(more, focus = undefined) {
  byId('users-status').textContent = '';
  try {
    const page = await listUsers({ after: more ? next : undefined, limit: PAGE_SIZE });
    const rows = page.users.map(userRow);
    if (more) {
      byId('users').append(...rows);
      rows[0]?.querySelector('a')?.focus();
    } else {
      byId('users').replaceChildren(...rows);
    }
    next = page.next;
    byId('more-users').hidden = next === undefined;
    byId('user-table').hidden = byId('users').children.length === 0;
    if (byId('user-table').hidden) {
      byId('users-status').textContent = text('console.users.none');
    }
    if (focus) {
      (byId('users').querySelector(focus) ?? byId('users-title')).focus();
    }
  } catch (error) {
    byId('users-status').textContent = textOf(error);
  }
}

addView('users', (userId, left) => {
  byId('user-list').hidden = userId !== '';
  byId('user').hidden = userId === '';
  if (userId === '') {
    load(false, linkLeft('users', left));
  } else {
    showUser(userId);
  }
});

byId('more-users').addEventListener('click', () => load(true));
byId('invite').addEventListener('click', async () => {
  if (await invite()) {
    load(false);
  }
});
