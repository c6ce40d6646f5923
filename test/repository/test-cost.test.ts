import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costLine, cpuSecondsOf } from '../helpers/slowest-files-reporter.ts';

test('processor time is that of a process and of its ended children, whatever the program is called', () => {
  const rest = 'S 1 2 3 4 5 6 7 8 9 10 150 50 700 100 20 0';
  expect(cpuSecondsOf(`42 (node) ${rest}`)).toBe(10);
  expect(cpuSecondsOf(`42 (a) b (c 9) ${rest}`)).toBe(10);
  expect(costLine(10, 5.25)).toBe('     5.3 s  in all; 10 CPU-seconds\n');
});

test.runIf(process.platform === 'linux')('a child that computed counts once it has ended', () => {
  const now = (): number => cpuSecondsOf(readFileSync('/proc/self/stat', 'utf8'));
  const before = now();
  const spent = 'for (let used; !(used?.user + used?.system >= 300_000); ) used = process.cpuUsage();';
  expect(spawnSync(process.execPath, ['-e', spent]).status).toBe(0);
  expect(now() - before).toBeGreaterThan(0.2);
  expect(Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))).toBe(100);
});
