// SPDX-License-Identifier: Apache-2.0
// The console's search: by support code, trace id, correlation id, or user.

import { textOf } from './console-api.js';
import { CeremonyList } from './console-ceremonies.js';
import { ceremonies } from './console-feed.js';
import { table } from './console-panels.js';
import { COLUMNS, listUsers, userRow } from './console-user-rows.js';
import { byId } from './dom.js';
import { plural, text } from './texts.js';

const MAX_USERS = 10;
const found = new CeremonyList(byId('found'));

/** @param {string} searched shows the users and ceremonies that match it */
export async function find(searched) {
  byId('find').value = searched;
  clearResults();
  byId('find-status').textContent = text('console.find.searching');
  byId('results').hidden = false;
  byId('results').dataset.searched = searched;
  const isCurrent = () => byId('results').dataset.searched === searched;
  try {
    const [{ ceremonies: matches, complete }, { users, next }] = await Promise.all([ceremonies(searched), listUsers({ query: searched, limit: MAX_USERS }).catch(() => ({ users: [], next: undefined }))]);
    if (!isCurrent()) {
      return;
    }
    byId('found-users').replaceChildren(table(COLUMNS, users.map(userRow)));
    byId('found-users').hidden = users.length === 0;
    found.show(matches, users.length > 0 ? text('console.find.noCeremonies') : complete ? text('console.find.nothing', { searched }) : '', matches.length === 1);
    byId('find-status').textContent = [
      users.length === 0 ? '' : next ? plural('console.find.first', users.length) : plural('console.find.users', users.length),
      matches.length === 0 ? '' : plural('console.find.ceremonies', matches.length),
      complete ? '' : text('console.find.incomplete'),
    ].filter(Boolean).join(' ');
  } catch (error) {
    if (isCurrent()) {
      byId('find-status').textContent = textOf(error);
    }
  }
  byId('results-title').focus({ preventScroll: true });
  byId('results').scrollIntoView({ block: 'nearest' });
}

/** Removes the result of an earlier search, so that it does not stand under another code. */
function clearResults() {
  byId('found-users').hidden = true;
  found.clear();
  found.show([], '');
  byId('explain').hidden = true;
}

export function closeResults() {
  byId('results').hidden = true;
  byId('explain').hidden = true;
}

byId('find-form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const searched = byId('find').value.trim();
  if (searched === '') {
    closeResults();
  } else {
    find(searched);
  }
});
byId('close-results').addEventListener('click', () => {
  closeResults();
  byId('find').focus();
});
