// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { browser } from '../fakes/browser.js';

const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');
const SOURCE = read('../src/porchlight.js');
const TYPES = read('../src/porchlight.d.ts');
const README = read('../README.md');

const PACKAGE = JSON.parse(read('../package.json'));
const ENTRIES = Object.values(PACKAGE.exports).map(entry => entry.default);
const typesOf = path => path.replace(/js$/, 'd.ts');

const names = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name).sort();

test('the core is at most 4 KiB gzipped', () => {
  const size = gzipSync(SOURCE, { level: 9 }).length;
  assert.ok(size <= 4096, `${size} bytes`);
});

for (const path of ENTRIES) {
  test(`the types declare exactly the exports of ${path}`, async () => {
    const exported = Object.keys(await import('../' + path)).sort();
    assert.deepEqual(names(read('../' + typesOf(path)), /^export (?:function|class|const) (\w+)/gm), exported);
  });
}

test('the types declare exactly the codes that have a message', () => {
  const codes = names(TYPES.match(/type Code =([^;]*);/)[1], /'(\w+)'/g);
  assert.deepEqual(names(SOURCE.match(/MESSAGES = {(.*?)\n};/s)[1], /^ {2}(\w+):/gm), codes);
});

test('the README documents every function and every code', () => {
  const code = names(TYPES.match(/type Code =([^;]*);/)[1], /'(\w+)'/g);
  const functions = ENTRIES.flatMap(path => names(read('../' + typesOf(path)), /^export function (\w+)/gm));
  for (const name of code) assert.match(README, new RegExp(`\`${name}\`.*\\|`));
  for (const name of functions) assert.match(README, new RegExp(`^\\| \`${name}\\(`, 'm'));
});

test('the README installs only the tarball that npm pack writes', () => {
  const { name, version } = PACKAGE;
  const installed = names(README, /npm install (\S+)/g);
  assert.ok(installed.length > 0);
  for (const file of installed) assert.ok(file.endsWith(`/${name.slice(1).replace('/', '-')}-${version}.tgz`), file);
});

test('loading the module adds no globals and starts no ceremony', async () => {
  const { authenticator } = browser();
  const before = Reflect.ownKeys(globalThis);
  await import('../src/porchlight.js?again');
  assert.deepEqual(Reflect.ownKeys(globalThis), before);
  assert.deepEqual(authenticator.prompts, []);
});

test('the package has no dependencies, and its entry points exist', () => {
  const { dependencies, devDependencies, exports, types, files } = PACKAGE;
  assert.equal(dependencies ?? devDependencies, undefined);
  for (const entry of Object.values(exports)) {
    assert.ok(read('../' + entry.default));
    assert.equal(entry.types, typesOf(entry.default));
  }
  assert.equal(types, exports['.'].types);
  assert.deepEqual(files, ['src']);
});
