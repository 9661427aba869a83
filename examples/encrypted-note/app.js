// SPDX-License-Identifier: Apache-2.0
// A note that only the user's passkey can decrypt. A real application would store `saved` on its server, which cannot read it.
import { signUp } from 'http://localhost:8080/porchlight.js';
import { deriveKey } from 'http://localhost:8080/porchlight/prf.js';

const SALT = 'encrypted-note/1'; // public: another purpose needs another salt

const byId = (id) => document.getElementById(id);
const say = (text) => (byId('message').textContent = text);
const explain = (error) => error.code !== 'aborted' && say(`${error.message} Support code ${error.supportCode ?? 'none'}.`);

/** The key, until the note is closed. It cannot be read or exported, only used. */
let key;

function show(note) {
  byId('note').value = note ?? '';
  byId('editor').hidden = note === undefined;
  byId('stranger').hidden = note !== undefined;
}

async function open() {
  const userId = byId('user-id').value;
  key = await deriveKey(SALT, { userId });
  const saved = JSON.parse(localStorage.getItem('note ' + userId) ?? 'null');
  show(saved ? await decrypt(saved) : '');
  say(saved ? 'Decrypted.' : 'A new note.');
}

async function save() {
  const saved = await encrypt(byId('note').value);
  localStorage.setItem('note ' + byId('user-id').value, JSON.stringify(saved));
  say('Encrypted and saved.');
}

async function encrypt(text) {
  const iv = crypto.getRandomValues(new Uint8Array(12)); // never twice with one key
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
  return { iv: [...iv], data: [...new Uint8Array(data)] };
}

async function decrypt({ iv, data }) {
  try {
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: Uint8Array.from(iv) }, key, Uint8Array.from(data));
    return new TextDecoder().decode(text);
  } catch {
    throw new Error('This note was encrypted with another passkey.');
  }
}

byId('stranger').addEventListener('submit', (event) => {
  event.preventDefault();
  open().catch(explain);
});

byId('sign-up').addEventListener('click', () =>
  signUp({ userId: byId('user-id').value }).then(() => say('Your passkey is ready. Open your note.'), explain),
);

byId('editor').addEventListener('submit', (event) => {
  event.preventDefault();
  save().catch(explain);
});

byId('close').addEventListener('click', () => {
  key = undefined;
  show();
  say('Closed.');
});
