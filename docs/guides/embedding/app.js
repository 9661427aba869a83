// SPDX-License-Identifier: Apache-2.0
// An application that signs users in with a Porchlight service at another address. The client calls the host that it was loaded from.
import { autofill, signIn, signUp } from 'http://localhost:8080/porchlight.js';

const SERVICE = 'http://localhost:8080';

const byId = (id) => document.getElementById(id);
const say = (text) => (byId('message').textContent = text);

/** The access token, until the page is closed. After that, the session cookie identifies the user. */
let token;

function call(method, path) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  return fetch(SERVICE + path, { method, headers, credentials: 'include' });
}

/** Asks the service for the session. A backend would verify the token with the keys at /.well-known/jwks.json. */
async function show() {
  const response = await call('GET', '/auth/session');
  const { userId, via } = response.ok ? await response.json() : {};
  byId('who').textContent = userId ?? '';
  byId('via').textContent = via ?? '';
  byId('user').hidden = !userId;
  byId('stranger').hidden = !!userId;
  if (!userId) autofill().then(welcome, explain);
}

async function welcome(signedIn) {
  token = signedIn.token;
  say(`Welcome, ${signedIn.userId}.`);
  await show();
}

function explain(error) {
  if (error.code === 'aborted') return; // another ceremony has begun
  say(error.code === 'network' ? error.message : `${error.message} Support code ${error.supportCode}.`);
}

/** Autofill gave way to the button, and is armed again if that came to nothing. */
function failed(error) {
  explain(error);
  autofill().then(welcome, explain);
}

byId('stranger').addEventListener('submit', (event) => {
  event.preventDefault();
  signIn({ userId: byId('user-id').value }).then(welcome, failed);
});

byId('sign-up').addEventListener('click', () => signUp({ userId: byId('user-id').value }).then(welcome, failed));

byId('sign-out').addEventListener('click', async () => {
  await call('POST', '/auth/logout');
  token = undefined;
  say('Signed out.');
  await show();
});

show().catch(() => say(`Is the service running at ${SERVICE}?`));
