// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PorchlightAccount } from '../src/porchlight/account-element.js';
import { PorchlightSignIn } from '../src/porchlight/signin-element.js';

const DIRECTORY = new URL('../src/porchlight/', import.meta.url);
const read = name => readFileSync(new URL(name, DIRECTORY), 'utf8');
const ENGLISH = { ...PorchlightSignIn.messages, ...PorchlightAccount.messages };
const CODES = [...read('../porchlight.d.ts').match(/type Code =([^;]*);/)[1].matchAll(/'(\w+)'/g)].map(([, code]) => code);
/** Errors of the service for which the helper has no code. */
const PROBLEMS = ['rejected', 'invalid_user_id', 'too_many_credentials'];
const LANGUAGES = readdirSync(DIRECTORY).flatMap(name => name.match(/^texts-(\w+)\.js$/)?.[1] ?? []);

const placeholders = text => (text.match(/\{\w+\}/g) ?? []).sort();

for (const language of LANGUAGES) {
  test(`the elements have every text and every error in ${language}`, async () => {
    const { default: texts } = await import(`../src/porchlight/texts-${language}.js`);
    const errors = [...CODES.filter(code => code !== 'aborted'), ...PROBLEMS];
    assert.deepEqual(Object.keys(texts).sort(), [...Object.keys(ENGLISH), ...errors].sort());
    for (const [name, text] of Object.entries(ENGLISH)) assert.deepEqual(placeholders(texts[name]), placeholders(text), name);
    assert.ok(read('element.js').includes(`${language}: () => import('./texts-${language}.js')`));
  });
}

test('German and Spanish have texts', () => assert.deepEqual(['de', 'es'].filter(language => !LANGUAGES.includes(language)), []));

test('the elements share one meaning per text', () => {
  for (const [name, text] of Object.entries(PorchlightSignIn.messages)) assert.equal(PorchlightAccount.messages[name] ?? text, text);
});

test('the scripts of the elements contain no text beside their default texts', () => {
  for (const name of ['element.js', 'signin-element.js', 'account-element.js']) {
    const script = read(name).replace(/static messages = \{.*?\n  \};|const STYLE = `.*?`;|\/\*\*?.*?\*\/|\/\/[^\n]*/gs, '');
    const literals = [...script.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].map(([, a, b, c]) => a ?? b ?? c.replace(/\$\{.*?\}/g, ''));
    assert.deepEqual(literals.filter(literal => /^\W*[A-Z][a-z]+|[a-z][.!?…]$/.test(literal) && literal !== 'Escape'), [], name);
  }
});
