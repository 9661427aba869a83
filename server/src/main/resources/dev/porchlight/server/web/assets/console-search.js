// SPDX-License-Identifier: Apache-2.0
// The console's search: by support code, trace id, correlation id, or user.

import { textOf } from './console-api.js';
import { CeremonyList } from './console-ceremonies.js';
import { ceremonies } from './console-feed.js';
import { listUsers, userRow } from './console-user-rows.js';
import { byId } from './dom.js';

const MAX_USERS = 10;
const found = new CeremonyList(byId('found'));

/** @param {string} text shows the users and ceremonies that match it */
export async function find(text) {
  byId('find').value = text;
  byId('find-status').textContent = '';
  byId('results').hidden = false;
  try {
    const [{ ceremonies: matches, complete }, { users, next }] = await Promise.all([ceremonies(text), listUsers({ query: text, limit: MAX_USERS }).catch(() => ({ users: [], next: undefined }))]);
    byId('found-users').replaceChildren(...users.map(userRow));
    byId('found-user-table').hidden = users.length === 0;
    found.clear();
    found.show(matches, users.length > 0 ? 'No recent ceremonies.' : `Nothing found for “${text}”. It may be too old. Of other instances, only refused ceremonies are found.`, matches.length === 1);
    byId('find-status').textContent = [
      users.length === 0 ? '' : next ? `The first ${users.length} users are shown. Enter more of the name.` : count(users.length, 'user', 'users'),
      matches.length === 0 ? '' : count(matches.length, 'ceremony', 'ceremonies'),
      complete ? '' : 'The database is unavailable, so only this instance was searched.',
    ].filter(Boolean).join(' ');
  } catch (error) {
    byId('find-status').textContent = textOf(error);
  }
  byId('results-title').focus({ preventScroll: true });
  byId('results').scrollIntoView({ block: 'nearest' });
}

/** @param {number} number @param {string} one @param {string} many */
const count = (number, one, many) => `${number} ${number === 1 ? one : many} found.`;

function closeResults() {
  byId('results').hidden = true;
  byId('explain').hidden = true;
}

byId('find-form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId('find').value.trim();
  if (text === '') {
    closeResults();
  } else {
    find(text);
  }
});
byId('close-results').addEventListener('click', () => {
  closeResults();
  byId('find').focus();
});
document.addEventListener('console-view', closeResults);
