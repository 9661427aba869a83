// SPDX-License-Identifier: Apache-2.0
// The card of one passkey, and the rows of sessions and applications.

import { el, icon } from './dom.js';
import { browserOf, isOnSecurityKey, providerOf } from './passkey-names.js';
import { timeOf } from './times.js';

/**
 * @typedef {import('./account.js').Passkey & { title: string }} Titled
 * @typedef {import('openapi').Sessions['sessions'][number]} Session
 * @typedef {import('openapi').Applications['applications'][number]} Application
 */

/**
 * @param {import('./element.js').PorchlightElement} host
 * @param {Titled} passkey
 * @param {{ level: number, rename: (name: string) => void, remove: () => void }} options
 * @returns {HTMLLIElement}
 */
export function passkeyCard(host, passkey, { level, rename, remove }) {
  const { title } = passkey;
  const provider = passkey.name === undefined ? undefined : providerOf(passkey);
  const heading = el(
    'div',
    { class: 'name' },
    el(`h${level}`, { part: 'name' }, el('bdi', {}, title)),
    provider && provider !== title ? el('p', { class: 'soft provider' }, provider) : undefined,
  );
  const label = key => host.text(key, { passkey: title });
  const renameButton = host.button('account.rename', {
    class: 'small rename',
    icon: 'pencil',
    'aria-label': label('account.renameLabel'),
    click: () => edit(host, heading, passkey, renameButton, rename),
  });
  const removeButton = host.button('account.remove', { class: 'small remove', icon: 'bin', 'aria-label': label('account.removeLabel'), click: remove });
  return el(
    'li',
    { part: 'item', class: 'card passkey', 'data-credential-id': passkey.credentialId },
    el('div', { class: 'top' }, el('span', { class: 'tile' }, picture(passkey)), heading),
    el('div', { class: 'facts' }, syncedBadge(host, passkey), ...times(host.texts, passkey)),
    el('div', { class: 'actions' }, renameButton, removeButton),
  );
}

/** The picture of the authenticator's model, if the service knows it. @param {Titled} passkey */
function picture(passkey) {
  const src = passkey.authenticator?.icon;
  return src?.startsWith('data:image/png;') ? el('img', { src, alt: '', height: 24 }) : icon(isOnSecurityKey(passkey) ? 'key' : 'passkey');
}

function syncedBadge(host, passkey) {
  const { backupEligible, backedUp } = passkey;
  if (backedUp === undefined) return undefined;
  const badge = (type, name, key) => el('p', { class: `badge ${type}` }, icon(name), host.text(key));
  if (backedUp) return badge('synced', 'cloud', 'account.synced');
  if (isOnSecurityKey(passkey)) return badge('', 'key', 'account.keyOnly');
  return badge('', 'device', backupEligible ? 'account.notSynced' : 'account.deviceOnly');
}

/** @param {import('./texts.js').Texts} texts @param {Titled} passkey */
function times(texts, { createdAt, lastUsedAt }) {
  const line = (type, key, time) => el('p', { class: `soft ${type}` }, ...texts.parts(key, { time: time && timeOf(texts, time) }));
  return [
    createdAt === undefined ? undefined : line('created', 'account.created', createdAt),
    line('last-used', lastUsedAt === undefined ? 'account.notUsed' : 'account.lastUsed', lastUsedAt),
  ];
}

/** Characters of a default name that only set the direction of its parts. */
const MARKS = /[\u200e\u200f\u2066-\u2069]/g;

/** Replaces the name with a text field until the user saves or cancels. */
function edit(host, heading, passkey, button, rename) {
  const title = passkey.title.replace(MARKS, '');
  const original = [...heading.childNodes];
  const input = el('input', { part: 'input', 'aria-label': host.text('account.nameLabel'), dir: 'auto', maxlength: 64, value: title, autocomplete: 'off' });
  const close = () => {
    heading.replaceChildren(...original);
    button.disabled = false;
    button.focus();
  };
  const submit = event => {
    event.preventDefault();
    const name = input.value.trim();
    if (name === '' || name === title) close();
    else rename(name);
  };
  const form = el(
    'form',
    { part: 'form', class: 'rename-form', submit, keydown: event => event.key === 'Escape' && close() },
    input,
    el(
      'div',
      { class: 'actions' },
      host.button('account.save', { type: 'submit', class: 'small primary save' }),
      host.button('common.cancel', { class: 'small', click: close }),
    ),
  );
  heading.replaceChildren(form);
  button.disabled = true;
  input.focus();
  input.select();
}

/** @param {import('./element.js').PorchlightElement} host @param {Session} session @param {() => void} end @returns {HTMLLIElement} */
export function sessionRow(host, { authTime, expiresAt, userAgent, current }, end) {
  const { texts } = host;
  const browser = browserOf(texts, userAgent);
  const here = current ? el('span', { class: 'badge here' }, host.text('account.thisBrowser')) : undefined;
  const period = texts.parts('account.session', { since: timeOf(texts, authTime), until: timeOf(texts, expiresAt) });
  const label = host.text('account.signOutLabel', { browser });
  return el(
    'li',
    { class: 'row', 'data-current': String(current) },
    el('div', {}, el('p', { class: 'browser', title: userAgent }, el('bdi', {}, browser), here), el('p', { class: 'soft' }, ...period)),
    current ? undefined : host.button('common.signOut', { class: 'small end', 'aria-label': label, click: end }),
  );
}

/** @param {import('./element.js').PorchlightElement} host @param {Application} application @param {() => void} revoke @returns {HTMLLIElement} */
export function applicationRow(host, { clientId, name, agreedAt }, revoke) {
  const time = timeOf(host.texts, agreedAt);
  const label = host.text('account.revokeLabel', { application: name });
  return el(
    'li',
    { class: 'row', 'data-client': clientId },
    el('div', {}, el('p', { class: 'browser', dir: 'auto' }, name), el('p', { class: 'soft' }, ...host.texts.parts('account.allowed', { time }))),
    host.button('account.revoke', { class: 'small end', 'aria-label': label, click: revoke }),
  );
}
