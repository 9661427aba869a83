// SPDX-License-Identifier: Apache-2.0
// The console's search: by support code, trace id, correlation id, or user.

import { CeremonyList } from './console-ceremonies.js';
import { ceremonies } from './console-feed.js';
import { byId } from './dom.js';

const found = new CeremonyList(byId('found'));

byId('find-form').addEventListener('submit', async (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId('find').value.trim();
  if (text === '') {
    closeResults();
    return;
  }
  byId('find-status').textContent = '';
  byId('results').hidden = false;
  try {
    const matches = await ceremonies(text);
    found.clear();
    found.show(matches, `Nothing found for “${text}”. It may be too old, or handled by another instance.`, matches.length === 1);
    byId('find-status').textContent = matches.length === 0 ? '' : matches.length === 1 ? '1 ceremony found.' : `${matches.length} ceremonies found.`;
  } catch (error) {
    byId('find-status').textContent = error instanceof Error ? error.message : String(error);
  }
  byId('results-title').focus({ preventScroll: true });
  byId('results').scrollIntoView({ block: 'nearest' });
});

function closeResults() {
  byId('results').hidden = true;
  byId('explain').hidden = true;
  byId('find').focus();
}

byId('close-results').addEventListener('click', closeResults);
