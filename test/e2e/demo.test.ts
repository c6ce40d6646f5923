import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('the demo runs by itself without a terminal: one retry, knowledge carried, exit 0', async () => {
  const started = performance.now();
  const result = await runProgram(['demo'], { cwd: tempDir() });
  const workspace = /The sample project is in (\S+)/.exec(result.stdout)?.[1] ?? '';
  try {
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/html failed, attempt 1/);
    expect(result.stdout).toMatch(/html done, attempt 2/);
    expect(result.stdout).toMatch(/knowledge gate: carry/);
    expect(readFileSync(join(workspace, 'build/greetings.html'), 'utf8')).toContain('&amp;');
    expect((performance.now() - started) / 1_000).toBeGreaterThan(20);
  } finally {
    if (workspace !== '') rmSync(workspace, { recursive: true, force: true });
  }
}, 180_000);
