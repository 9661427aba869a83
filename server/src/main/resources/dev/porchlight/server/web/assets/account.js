// SPDX-License-Identifier: Apache-2.0
// The account page: the element <porchlight-account> with the token of the page.

import '/porchlight/account-element.js';
import { useTexts } from '/porchlight/element.js';
import { byId, el } from './dom.js';
import { helpWith } from './help.js';
import { catalog, lang } from './texts.js';
import { clearToken, storeToken, token } from './token-store.js';

/** Storage key: the user declined a passkey on this device. */
const DECLINED = 'porchlight.declined';

/** Whether the user signed in with another device and may want a passkey on this one. */
const offer = location.hash === '#offer' && localStorage.getItem(DECLINED) === null;

/** Storage key: the token of a mailed link, while the user signs in. */
const EMAIL_TOKEN = 'porchlight.email-token';

const main = byId('main');
const account = el('porchlight-account', { unstyled: true, heading: 1, profile: true, sessions: true, applications: true, devices: true, recovery: byId('main').dataset.recovery === 'codes', help: true, href: '/', offer });

function signedOut(event) {
  clearToken();
  if (event.detail.reason === 'ended') {
    return; // the element shows it
  }
  event.preventDefault();
  if (event.detail.reason === 'none') {
    if (account.emailToken) {
      sessionStorage.setItem(EMAIL_TOKEN, account.emailToken);
    }
    location.replace('/');
  } else {
    location.assign('/#signed-out');
  }
}

/** Takes the token of a link from the address, so that it is not bookmarked, or from before the sign-in. */
function readEmailToken() {
  const kept = sessionStorage.getItem(EMAIL_TOKEN) ?? undefined;
  sessionStorage.removeItem(EMAIL_TOKEN);
  return /^#verify=(.+)$/.exec(location.hash)?.[1] ?? kept;
}

account.emailToken = readEmailToken();
if (location.hash !== '') {
  history.replaceState(null, '', location.pathname);
}
useTexts(lang, catalog);
account.token = token();
account.addEventListener('porchlight-token', (event) => storeToken(event.detail, main.dataset.login));
account.addEventListener('porchlight-signed-out', signedOut);
account.addEventListener('porchlight-offer-declined', () => localStorage.setItem(DECLINED, 'yes'));
helpWith(account);
account.ready.then(() => byId('bar').append(account.header));
main.prepend(account);
addEventListener('hashchange', () => location.reload());
// A page restored by the back button may show outdated data, or another user's.
addEventListener('pageshow', (event) => event.persisted && location.reload());
