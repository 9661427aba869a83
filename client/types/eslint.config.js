// SPDX-License-Identifier: Apache-2.0
// Mistakes and unsafe code. The format is not checked, nor what TypeScript reports.
import js from '@eslint/js';
import globals from 'globals';

const RULES = [
  'array-callback-return',
  'eqeqeq',
  'no-constructor-return',
  'no-else-return',
  'no-eval',
  'no-extend-native',
  'no-implicit-globals',
  'no-implied-eval',
  'no-new-func',
  'no-script-url',
  'no-self-compare',
  'no-shadow',
  'no-template-curly-in-string',
  'no-throw-literal',
  'no-unmodified-loop-condition',
  'no-unneeded-ternary',
  'no-unreachable-loop',
  'no-useless-rename',
  'no-useless-return',
  'no-var',
  'object-shorthand',
  'prefer-const',
  'prefer-promise-reject-errors',
];

const MARKUP = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'setHTMLUnsafe'];
const MODULE_STATE = ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind=let]';

export default [
  { ignores: ['**/target/'] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...Object.fromEntries(RULES.map(rule => [rule, 'error'])),
      'no-restricted-properties': ['error', ...MARKUP.map(property => ({ property, message: 'Build elements with el().' }))],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['client/src/**', 'server/**', 'observe/**'],
    ignores: ['client/src/porchlight/texts-*.js'],
    rules: {
      'max-lines': ['error', 300],
      'no-restricted-syntax': ['error', { selector: MODULE_STATE, message: 'Keep state in an object.' }],
    },
  },
  { files: ['client/{fakes,test,types}/**'], languageOptions: { globals: globals.node }, rules: { 'no-shadow': 'off' } },
];
