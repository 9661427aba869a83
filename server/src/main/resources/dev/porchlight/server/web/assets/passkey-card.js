// SPDX-License-Identifier: Apache-2.0
// The card of one passkey. Its buttons dispatch the events passkey-rename and passkey-remove.

import { el } from './dom.js';
import { icon } from './icons.js';
import { isOnSecurityKey } from './backup-advice.js';
import { providerOf } from './passkey-names.js';
import { parts, text } from './texts.js';
import { timeOf } from './times.js';

/**
 * @typedef {import('/porchlight/account.js').Passkey} Passkey
 * @typedef {Passkey & { title: string }} Titled
 */

/** @param {Titled} passkey @returns {HTMLLIElement} */
export function passkeyCard(passkey) {
  const { title } = passkey;
  const provider = passkey.name === undefined ? undefined : providerOf(passkey);
  const heading = el(
    'div',
    { class: 'name' },
    el('h2', {}, el('bdi', {}, title)),
    provider && provider !== title ? el('p', { class: 'soft provider' }, provider) : undefined,
  );
  const renameButton = el(
    'button',
    { type: 'button', class: 'small rename', 'aria-label': text('account.renameLabel', { passkey: title }) },
    icon('pencil'),
    text('account.rename'),
  );
  const removeButton = el(
    'button',
    { type: 'button', class: 'small remove', 'aria-label': text('account.removeLabel', { passkey: title }) },
    icon('bin'),
    text('account.remove'),
  );
  const card = el(
    'li',
    { class: 'card passkey', 'data-credential-id': passkey.credentialId },
    el('div', { class: 'top' }, el('span', { class: 'tile' }, icon(isOnSecurityKey(passkey) ? 'key' : 'passkey')), heading),
    el('div', { class: 'facts' }, syncedBadge(passkey), ...times(passkey)),
    el('div', { class: 'actions' }, renameButton, removeButton),
  );
  renameButton.addEventListener('click', () => edit(heading, passkey, renameButton));
  removeButton.addEventListener('click', () => dispatch(card, 'passkey-remove', passkey));
  return card;
}

/** @param {HTMLElement} source @param {string} name @param {unknown} detail */
const dispatch = (source, name, detail) => source.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));

/** @param {Passkey} passkey */
function syncedBadge(passkey) {
  const { backupEligible, backedUp } = passkey;
  if (backedUp === undefined) {
    return undefined;
  }
  if (backedUp) {
    return el('p', { class: 'badge synced' }, icon('cloud'), text('account.synced'));
  }
  if (isOnSecurityKey(passkey)) {
    return el('p', { class: 'badge' }, icon('key'), text('account.keyOnly'));
  }
  return el('p', { class: 'badge' }, icon('device'), text(backupEligible ? 'account.notSynced' : 'account.deviceOnly'));
}

/** @param {Passkey} passkey */
function times({ createdAt, lastUsedAt }) {
  return [
    createdAt === undefined ? undefined : el('p', { class: 'soft created' }, ...parts('account.created', { time: timeOf(createdAt) })),
    el(
      'p',
      { class: 'soft last-used' },
      ...(lastUsedAt === undefined ? parts('account.notUsed') : parts('account.lastUsed', { time: timeOf(lastUsedAt) })),
    ),
  ];
}

/**
 * Replaces the name with a text field until the user saves or cancels.
 * @param {HTMLElement} heading
 * @param {Titled} passkey
 * @param {HTMLButtonElement} button
 */
function edit(heading, passkey, button) {
  const original = [...heading.childNodes];
  const input = el('input', { 'aria-label': text('account.nameLabel'), dir: 'auto', maxlength: 64, value: passkey.title, autocomplete: 'off' });
  const close = () => {
    heading.replaceChildren(...original);
    button.disabled = false;
    button.focus();
  };
  const form = el(
    'form',
    {
      class: 'rename-form',
      submit: (event) => {
        event.preventDefault();
        const name = input.value.trim();
        if (name === '' || name === passkey.title) {
          close();
        } else {
          dispatch(heading, 'passkey-rename', { passkey, name });
        }
      },
      keydown: (event) => event.key === 'Escape' && close(),
    },
    input,
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'submit', class: 'small primary save' }, text('account.save')),
      el('button', { type: 'button', class: 'small', click: close }, text('common.cancel')),
    ),
  );
  heading.replaceChildren(form);
  button.disabled = true;
  input.focus();
  input.select();
}
