// SPDX-License-Identifier: Apache-2.0
// The sign-in page: the element <porchlight-signin>, with the title of its view and the application that asks for the sign-in.

import { PasskeyError, configure, support } from '/porchlight.js';
import { session } from '/porchlight/account.js';
import { useTexts } from '/porchlight/element.js';
import '/porchlight/signin-element.js';
import { chooseAccount, rememberAccount, usesSeveral } from './accounts.js';
import { checkAddress } from './address.js';
import { byId, el } from './dom.js';
import { helpWith, openHelp } from './help.js';
import { fetchRequest, isRequested, requestTarget } from './openid-request.js';
import { returnTo } from './return-to.js';
import { catalog, lang, parts, text } from './texts.js';
import { clearToken, storeToken, token } from './token-store.js';

const main = byId('main');
const { name, origin, login } = main.dataset;

/** Where to go after a sign-in, and the user who can continue without a passkey. */
const model = { target: requestTarget ?? returnTo(location.search, main.dataset.return === 'allowed') ?? '/account', user: '' };

const signIn = el('porchlight-signin', { unstyled: true, help: true, signup: main.dataset.signup === 'open', recovery: main.dataset.recovery === 'codes', fields: main.dataset.fields, view: token() === undefined ? main.dataset.view : 'loading', href: model.target });

/** Title and lead by view. */
const heads = {
  loading: () => [text('signin.title', { name }), ''],
  'sign-in': () => [text('signin.title', { name }), text('signin.lead')],
  'sign-up': () => [text('signup.title'), text('signup.lead')],
  enroll: () => [text('enroll.title', { name }), text('enroll.lead')],
  recovery: () => [text('signin.recovery'), text('recovery.lead')],
  'signed-in': () => [text('signin.signedInTitle'), text('signin.signedIn', { user: model.user })],
};

function showHead(event) {
  const [title, lead] = heads[event.detail.view]();
  byId('title').textContent = title;
  byId('lead').textContent = lead;
  document.title = title.includes(name) ? title : `${title} · ${name}`;
}

/** Moves the token of an enrollment link, which may be damaged, from the address to memory, so that it is not bookmarked or seen. */
function readEnrollmentLink() {
  const link = /^#enroll?(?:=|%3D)?(.*)$/i.exec(location.hash);
  if (link) {
    history.replaceState(null, '', location.pathname + location.search);
  }
  return link?.[1];
}

function openEnrollmentLink() {
  const enrollment = readEnrollmentLink();
  if (enrollment !== undefined) {
    signIn.openEnrollment(enrollment);
  }
}

/** Shows the application that asks for the sign-in. @param {import('./openid-request.js').Asked} asked */
function showApplication({ name: application, host, requestId, loginHint }) {
  signIn.requestId = requestId;
  const link = el('span', {}, el('b', { dir: 'auto' }, application), host === '' ? '' : ` (${host})`);
  byId('application').replaceChildren(...parts('signin.application', { application: link }));
  byId('application').hidden = false;
  byId('known-user-id').value = loginHint ?? '';
}

/** @returns {Promise<string | undefined>} the user who can continue without a passkey */
async function fetchUser() {
  try {
    if (!isRequested) {
      return (await session({ token: token() }))?.userId;
    }
    const asked = await fetchRequest();
    showApplication(asked);
    if (asked.automatic && !usesSeveral()) {
      location.replace(model.target);
      return new Promise(() => {}); // shows nothing until the browser has left
    }
    return asked.userId;
  } catch (error) {
    if (isRequested && error.status === 404) {
      location.replace(model.target); // explains that the request has expired
    }
    return undefined;
  }
}

function signedIn({ detail }) {
  storeToken(detail, login);
  rememberAccount(detail.userId);
  if (detail.hybrid && model.target === '/account') {
    signIn.setAttribute('href', '/account#offer'); // of a passkey on this device
  }
}

/** Passkeys do not work at this address. An enrollment link is opened at the right one. */
async function showWrongAddress() {
  const fragment = signIn.enrollment === undefined ? '' : `#enroll=${signIn.enrollment}`;
  const leave = { label: text('signin.goTo', { origin }), id: 'go-to-origin', run: () => location.assign(`${origin}/${fragment}`) };
  const help = { label: text('common.getHelp'), id: 'get-help', run: openHelp };
  signIn.view = 'sign-in';
  const error = await signIn.reported(new PasskeyError('config'));
  signIn.showError(error, { tone: 'bad', message: text('signin.wrongAddress', { origin }), choices: [leave, help] });
}

async function start() {
  const address = checkAddress(location, origin, main.dataset.origins.split(' '));
  if (address.redirect) {
    location.replace(address.redirect);
    return;
  }
  const signedOut = location.hash === '#signed-out';
  if (!address.ok) {
    signIn.start = showWrongAddress;
  }
  signIn.enrollment = readEnrollmentLink();
  main.insertBefore(signIn, byId('help'));
  await signIn.ready;
  if (!address.ok || signIn.enrollment !== undefined || !(await support()).passkeys) {
    return;
  }
  if (signIn.view === 'loading') {
    model.user = (await fetchUser()) ?? '';
    if (signIn.view !== 'loading') {
      return; // an enrollment link was opened
    }
    signIn.show(model.user === '' ? 'sign-in' : 'signed-in');
  }
  if (signedOut && model.user === '') {
    history.replaceState(null, '', location.pathname + location.search);
    signIn.showStatus(text('signin.signedOut'), { tone: 'good' });
  }
}

configure({ signal: false }); // the account page sends the signals
useTexts(lang, catalog);
signIn.token = token();
signIn.addEventListener('porchlight-view', showHead);
signIn.addEventListener('porchlight-signed-in', signedIn);
signIn.addEventListener('porchlight-signed-out', () => {
  clearToken();
  chooseAccount();
});
helpWith(signIn);
addEventListener('hashchange', openEnrollmentLink);
// A page restored by the back button may show another user.
addEventListener('pageshow', (event) => event.persisted && location.reload());
start();
