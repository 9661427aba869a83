// SPDX-License-Identifier: Apache-2.0
// Applies suite-edits.json to a clone of the suite: for each file a list of [first line, lines removed, lines put in].
import fs from 'node:fs';
import path from 'node:path';

const [root] = process.argv.slice(2);
const edits = JSON.parse(fs.readFileSync(new URL('suite-edits.json', import.meta.url), 'utf8'));
for (const [name, changes] of Object.entries(edits)) {
  const file = path.join(root, name);
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (const [first, removed, put] of changes.reverse()) lines.splice(first, removed, ...put);
  fs.writeFileSync(file, lines.join('\n'));
}
