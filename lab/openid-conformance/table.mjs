// SPDX-License-Identifier: Apache-2.0
// Prints the results as Markdown tables. Arguments: names of plans; all by default.
import fs from 'node:fs';

const dir = `${process.env.WORK}/results`;
const names = process.argv.length > 2 ? process.argv.slice(2) : fs.readdirSync(dir).map((file) => file.replace('.json', ''));
for (const name of names) {
  const { plan, results } = JSON.parse(fs.readFileSync(`${dir}/${name}.json`, 'utf8'));
  const counts = {};
  for (const { result } of results) counts[result] = (counts[result] ?? 0) + 1;
  const total = Object.entries(counts).map(([result, count]) => `${count} ${result}`).join(', ');
  console.log(`\n### ${name} (\`${plan}\`): ${total}\n\n| module | result | conditions |\n|---|---|---|`);
  for (const { module, result, bad, skipped } of results) {
    const conditions = bad.filter((one) => result === 'REVIEW' || one.result !== 'REVIEW').map((one) => `${one.result} \`${one.src}\`: ${one.msg}`);
    console.log(`| ${module} | ${result} | ${[...conditions, skipped ?? ''].filter(Boolean).join('<br>').replaceAll('|', '\\|')} |`);
  }
}
