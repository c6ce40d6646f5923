import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from './package.ts';
import { smokeRows } from './rows.ts';
import { demoTries, mcpTry, quickTries, tryIn } from './tries.ts';

/**
 * `npm run smoke [-- --all] [-- WORD…]`: packs the package, installs it as a person does on machines of several kinds, and runs its first commands there, without
 * a terminal and without network. The short form tries on each machine what it may break; `--all` tries everything everywhere. Words choose the rows that contain
 * one of them. Exits with 1 when something does not work.
 */
const given = process.argv.slice(2);
const isWhole = given.includes('--all');
const words = given.filter((word) => !word.startsWith('-'));
const scratch = mkdtempSync(join(tmpdir(), 'ralph-tui-smoke-'));
// Another user looks into it.
chmodSync(scratch, 0o755);

const tarball = pack(scratch, 'run-scripts');
console.log(
  `${(tarball.size / 1e6).toFixed(1)} MB, ${tarball.files.length} files\n\n| where | tried | took | works |\n| --- | --- | --- | --- |`,
);
let failed = 0;
for (const [index, row] of smokeRows.entries()) {
  if (words.length > 0 && !words.some((word) => row.name.includes(word))) continue;
  const tries = isWhole ? [...quickTries, ...demoTries, mcpTry] : row.short;
  if (tries === null) continue;
  const line = (name: string, from: number, problem: string | null): void => {
    if (problem !== null) failed += 1;
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    console.log(
      `| ${row.name} | ${name} | ${seconds} s | ${problem === null ? 'yes' : `NO: ${problem.replaceAll('\n', ' ')}`} |`,
    );
  };
  if (row.needsRoot === true && process.getuid?.() !== 0) {
    console.log(`| ${row.name} | – | – | not tried: only root can become another user |`);
    continue;
  }
  let from = performance.now();
  const place = await row.prepare(join(scratch, String(index)), tarball.file);
  line('install', from, typeof place === 'string' ? place : null);
  if (typeof place === 'string') continue;
  for (const one of tries) {
    from = performance.now();
    line(one.name, from, await tryIn(place, one));
  }
}
rmSync(scratch, { recursive: true, force: true });
console.log(failed === 0 ? '\nall of it works' : `\n${failed} did not work`);
process.exitCode = failed === 0 ? 0 : 1;
