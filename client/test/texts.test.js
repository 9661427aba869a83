// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const DIRECTORY = new URL('../src/porchlight/', import.meta.url);
const read = name => readFileSync(new URL(name, DIRECTORY), 'utf8');
const texts = async language => (await import(`../src/porchlight/texts-${language}.js`)).default;
const CODES = [...read('../porchlight.d.ts').match(/type Code =([^;]*);/)[1].matchAll(/'(\w+)'/g)].map(([, code]) => code);
const LANGUAGES = readdirSync(DIRECTORY).flatMap(name => name.match(/^texts-(\w+)\.js$/)?.[1] ?? []);

for (const language of LANGUAGES) {
  test(`every error has a text in ${language}, and the elements load it`, async () => {
    const catalog = await texts(language);
    for (const code of CODES.filter(code => code !== 'aborted')) assert.ok(catalog[`error.${code}`], code);
    assert.ok(read('texts.js').includes(`${language}: () => import('./texts-${language}.js')`));
  });

  test(`the service can read the texts in ${language} as JSON`, async () => {
    const source = read(`texts-${language}.js`);
    assert.deepEqual(JSON.parse(source.slice(source.indexOf('{'), source.lastIndexOf('}') + 1)), await texts(language));
  });
}

test('the helper has the English sentences of the catalog', async () => {
  const catalog = await texts('en');
  const sentences = [...read('../porchlight.js').matchAll(/^ {2}(\w+): (?:'([^']* [^']*)'|"([^"]* [^"]*)"),$/gm)];
  assert.ok(sentences.length > 10);
  for (const [, code, plain, quoted] of sentences) {
    if (code !== 'unsupported') assert.equal((plain ?? quoted).replaceAll("'", '’'), catalog[`error.${code}`]); // shorter: little room
  }
});
