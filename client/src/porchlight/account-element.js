// SPDX-License-Identifier: Apache-2.0
/** See account-element.d.ts. */

import { addPasskey } from '../porchlight.js';
import { passkeys, remove, rename, session, signOut } from './account.js';
import { PorchlightElement, el } from './element.js';

const SECURITY_KEY = ['usb', 'nfc', 'ble', 'smart-card'];

export class PorchlightAccount extends PorchlightElement {
  static messages = {
    user: 'Signed in as {userId}',
    signOut: 'Sign out',
    add: 'Add a passkey',
    rename: 'Rename',
    renameLabel: 'Rename {name}',
    nameLabel: 'Name of this passkey',
    save: 'Save',
    remove: 'Remove',
    removeLabel: 'Remove {name}',
    removeQuestion: 'Remove {name}? You won’t be able to sign in with it.',
    removeLast: '{name} is your last passkey. Without it you may not be able to sign in.',
    confirm: 'Remove it',
    cancel: 'Cancel',
    passkey: 'Passkey',
    securityKey: 'Security key',
    synced: 'Synced',
    created: 'Created {date}',
    lastUsed: 'Last used {date}',
    added: 'Your new passkey is ready. Give it a name you’ll recognize.',
    renamed: 'Renamed to {name}.',
    removed: '{name} was removed.',
    removedHere: '{name} was removed. It may still appear in your password manager. Delete it there too.',
    prompt: 'Follow the steps on your device.',
    checking: 'Checking…',
    supportCode: 'Support code {supportCode}.',
    unexpected: 'Something went wrong. Try again.',
  };

  /** The access token, if sessions are not used. */
  token = this.token; // keeps one that was set before the module was loaded

  #user = '';
  #passkeys = [];

  get #access() {
    return { token: this.token };
  }

  /** The same for functions that may prompt. Keeps the token of a new sign-in, if the page uses tokens. */
  get #prompting() {
    return { ...this.#access, ...this.events, onToken: token => (this.token &&= token ?? this.token) };
  }

  build() {
    this.user = el('span', { part: 'user' });
    this.signOutButton = this.button('signOut', { click: () => this.#signOut() });
    this.list = el('ul', { part: 'list', class: 'stack' });
    this.addButton = this.button('add', { class: 'primary', click: () => this.#add() });
    const header = el('div', { part: 'header', class: 'row between' }, this.user, this.signOutButton);
    this.content = el('div', { class: 'stack', hidden: '' }, header, this.list, this.addButton);
    return el('div', { part: 'account', class: 'stack' }, this.content, this.status, this.cancelButton, this.alert);
  }

  async start() {
    await this.run(async () => {
      const current = await session(this.#access);
      if (!current) return this.#signedOut();
      this.#user = current.userId;
      this.#passkeys = await passkeys(this.#access);
      this.render();
      this.content.hidden = false;
      return undefined;
    });
  }

  render() {
    this.user.textContent = this.text('user', { userId: this.#user });
    this.signOutButton.textContent = this.text('signOut');
    this.addButton.textContent = this.text('add');
    this.cancelButton.textContent = this.text('cancel');
    this.list.replaceChildren(...this.#titled().map(passkey => this.#item(passkey)));
  }

  /** The passkeys with a name each. Equal default names are numbered. */
  #titled() {
    const taken = new Set(this.#passkeys.map(({ name }) => name));
    return this.#passkeys.map(passkey => {
      const onKey = passkey.transports.some(transport => SECURITY_KEY.includes(transport)) && !passkey.transports.includes('internal');
      const base = passkey.name ?? this.text(onKey ? 'securityKey' : 'passkey');
      let title = base;
      for (let number = 2; passkey.name === undefined && taken.has(title); number++) title = `${base} (${number})`;
      taken.add(title);
      return { ...passkey, title };
    });
  }

  #item(passkey) {
    const { credentialId, title: name, backedUp, createdAt, lastUsedAt } = passkey;
    const date = time => new Intl.DateTimeFormat(this.language, { dateStyle: 'medium' }).format(time);
    const details = [
      backedUp ? this.text('synced') : undefined,
      createdAt ? this.text('created', { date: date(createdAt) }) : undefined,
      lastUsedAt ? this.text('lastUsed', { date: date(lastUsedAt) }) : undefined,
    ];
    const item = el('li', { part: 'item', class: 'item stack', 'data-id': credentialId });
    item.append(
      el('div', {}, el('p', { part: 'name', class: 'name' }, name), el('p', { part: 'details' }, details.filter(Boolean).join(' · '))),
      el(
        'div',
        { part: 'actions', class: 'row' },
        this.button('rename', { 'aria-label': this.text('renameLabel', { name }), click: () => this.#edit(item, passkey) }),
        this.button('remove', { 'aria-label': this.text('removeLabel', { name }), click: () => this.#confirm(item, passkey) }),
      ),
    );
    return item;
  }

  #edit(item, { credentialId, title }) {
    const input = el('input', { part: 'input', 'aria-label': this.text('nameLabel'), maxlength: 64, value: title, autocomplete: 'off' });
    const close = () => this.#close(credentialId, 'rename');
    const form = el(
      'form',
      {
        part: 'form',
        submit: event => {
          event.preventDefault();
          const name = input.value.trim();
          if (name === '' || name === title) close();
          else this.#rename(credentialId, name);
        },
        keydown: event => event.key === 'Escape' && close(),
      },
      input,
      el('div', { class: 'row' }, el('button', { type: 'submit', part: 'button primary', class: 'primary' }, this.text('save')), this.button('cancel', { click: close })),
    );
    item.replaceChildren(form);
    input.focus();
    input.select();
  }

  #confirm(item, passkey, last = this.#passkeys.length === 1) {
    const { credentialId, title: name } = passkey;
    const close = () => this.#close(credentialId, 'remove');
    const cancelButton = this.button('cancel', { click: close });
    item.replaceChildren(
      el(
        'div',
        { role: 'group', 'aria-labelledby': 'question', class: 'stack', keydown: event => event.key === 'Escape' && close() },
        el('p', { id: 'question' }, this.text(last ? 'removeLast' : 'removeQuestion', { name })),
        el('div', { class: 'row' }, this.button('confirm', { class: 'primary', click: () => this.#remove(passkey, last) }), cancelButton),
      ),
    );
    cancelButton.focus();
  }

  /** Shows the list again and focuses a button of one passkey. */
  #close(credentialId, part) {
    this.render();
    this.#find(credentialId)?.querySelector(`[part~='${part}']`)?.focus();
  }

  #find(credentialId) {
    return this.shadowRoot.querySelector(`[data-id="${CSS.escape(credentialId)}"]`);
  }

  async #add() {
    const added = await this.run(async () => {
      const result = await addPasskey(this.#prompting);
      this.#passkeys = await passkeys(this.#access);
      return result;
    }, this.addButton);
    if (added) {
      this.render();
      this.say(this.text('added'));
      this.emit('passkey-added', added);
      this.#find(added.credentialId)?.querySelector("[part~='rename']").click();
    }
  }

  async #rename(credentialId, name) {
    const renamed = await this.run(() => rename(credentialId, name, this.#access));
    if (renamed) {
      this.#passkeys = renamed;
      this.#close(credentialId, 'rename');
      this.say(this.text('renamed', { name }));
    }
  }

  async #remove(passkey, force) {
    const { credentialId, title: name } = passkey;
    const removed = await this.run(async () => {
      const result = await remove(credentialId, { force, ...this.#prompting }).catch(error => {
        if (error.problem !== 'last_credential') throw error;
        return { last: true }; // another passkey was removed in the meantime
      });
      if (result.last) return result;
      return { ...result, current: await session(this.#access) };
    }, this.addButton);
    if (removed?.last) {
      this.#confirm(this.#find(credentialId), passkey, true);
    } else if (removed) {
      this.#passkeys = removed.passkeys;
      this.render();
      this.emit('passkey-removed', { credentialId });
      this.say(this.text(removed.signaled ? 'removed' : 'removedHere', { name }));
      if (removed.current) this.addButton.focus();
      else this.#signedOut(); // the user had signed in with it
    }
  }

  async #signOut() {
    const ended = await this.run(async () => {
      await signOut(this.#access);
      return true;
    });
    if (ended) this.#signedOut();
  }

  failed(error) {
    if (error.problem === 'unauthenticated') this.#signedOut();
    else super.failed(error);
  }

  #signedOut() {
    this.token = undefined;
    this.content.hidden = true;
    this.emit('signed-out');
    this.leave();
  }
}

globalThis.customElements?.define('porchlight-account', PorchlightAccount);
