// SPDX-License-Identifier: Apache-2.0
// The account page: the passkeys and sessions of whoever is signed in.

import { byId, el } from './dom.js';
import { forget, token } from './login.js';
import { tell } from './messages.js';

async function call(method, path) {
  const bearer = token();
  const response = await fetch(path, { method, headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });
  return response.ok && response.status !== 204 ? response.json() : response;
}

async function start() {
  const who = await call('GET', '/auth/session');
  if (who.status === 401) {
    location.replace('/');
    return;
  }
  byId('user-id').textContent = who.userId;
  byId('who').hidden = false;
  byId('sign-out').addEventListener('click', async () => {
    await call('POST', '/auth/logout');
    forget();
    location.assign('/');
  });
  const { credentials } = await call('GET', '/auth/passkey/credentials');
  byId('passkeys').replaceChildren(...credentials.map(({ name }) => el('li', { class: 'card' }, name ?? 'Passkey')));
  byId('content').hidden = false;
  byId('main').dataset.state = 'ready';
  byId('main').setAttribute('aria-busy', 'false');
}

start().catch(() => tell('The service cannot be reached. Reload the page to try again.', { tone: 'bad' }));
