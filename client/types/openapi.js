// SPDX-License-Identifier: Apache-2.0
// Writes the schemas of openapi.json as types to target/openapi.d.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const API = new URL('../../server/src/main/resources/dev/porchlight/server/routes/openapi.json', import.meta.url);
const TYPES = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' };

const union = (schemas, separator) => schemas.map(schema => `(${typeOf(schema)})`).join(separator);

function typeOf({ $ref, enum: values, const: value, oneOf, anyOf, allOf, type, items, properties, required = [], additionalProperties }) {
  if ($ref) return $ref.split('/').pop();
  if (values ?? value) return (values ?? [value]).map(one => JSON.stringify(one)).join(' | ');
  if (oneOf ?? anyOf) return union(oneOf ?? anyOf, ' | ');
  if (allOf) return union(allOf, ' & ');
  if (type === 'array') return `${items ? `(${typeOf(items)})` : 'any'}[]`;
  if (!properties) return TYPES[type] ?? (additionalProperties?.type ? `Record<string, ${typeOf(additionalProperties)}>` : 'any');
  const member = ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  return `{ ${Object.entries(properties).map(member).join(' ')} }`;
}

const { schemas } = JSON.parse(readFileSync(API, 'utf8')).components;
const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`);
mkdirSync(new URL('target/', import.meta.url), { recursive: true });
writeFileSync(new URL('target/openapi.d.ts', import.meta.url), types.join(''));
