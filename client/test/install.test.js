// SPDX-License-Identifier: Apache-2.0
// Packs the package as npm publishes it, and installs it in an empty application. Needs no network.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('..', import.meta.url));
const npm = (...words) => execFileSync('npm', words, { cwd: application, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const hasNpm = () => {
  try {
    return execFileSync('npm', ['--version'], { stdio: 'ignore' }) ?? true;
  } catch {
    return false;
  }
};
const options = { skip: process.env.CI === 'true' || hasNpm() ? false : 'npm is not installed' };

let application;
let packed;

before(() => {
  if (options.skip) return;
  application = mkdtempSync(join(tmpdir(), 'porchlight-client-'));
  writeFileSync(join(application, 'package.json'), JSON.stringify({ name: 'application', private: true, type: 'module' }));
  [packed] = JSON.parse(npm('pack', CLIENT, '--json'));
  npm('install', './' + packed.filename, '--offline', '--no-audit', '--no-fund');
});

after(() => application && rmSync(application, { recursive: true, force: true }));

test('the package contains the module, its types, README and license, and nothing else', options, () => {
  assert.deepEqual(
    packed.files.map(({ path }) => path).filter(path => !path.startsWith('src/')).sort(),
    ['LICENSE', 'README.md', 'package.json']
  );
  assert.deepEqual(
    packed.files.map(({ path }) => path).filter(path => path.startsWith('src/')).sort(),
    readdirSync(join(CLIENT, 'src'), { recursive: true }).filter(name => /\.(js|ts)$/.test(name)).map(name => 'src/' + name).sort()
  );
});

test('an application imports every export of the installed package', options, () => {
  const { exports } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
  assert.deepEqual(Object.keys(exports), ['.', './account', './prf', './signin-element', './account-element', './react']);
  for (const [entry, { types }] of Object.entries(exports)) {
    const module = '@porchlight/client' + entry.slice(1);
    const program = `import * as client from '${module}'; console.log(JSON.stringify(Object.keys(client).sort()));`;
    const printed = execFileSync('node', ['--input-type=module', '-e', program], { cwd: application, encoding: 'utf8' });
    const declarations = readFileSync(join(application, 'node_modules/@porchlight/client', types), 'utf8');
    const declared = [...declarations.matchAll(/^export (?:declare )?(?:function|class|const) (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(JSON.parse(printed), [...new Set(declared)].sort());
  }
});

test('the installed package has no dependencies and runs no scripts at installation', options, () => {
  const lock = JSON.parse(readFileSync(join(application, 'package-lock.json'), 'utf8'));
  assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/@porchlight/client']);
  assert.equal(lock.packages['node_modules/@porchlight/client'].hasInstallScript, undefined);
});
