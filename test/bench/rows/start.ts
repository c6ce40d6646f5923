import { spawn } from 'node:child_process';
import { cleanEnvironment, programFile } from '../../helpers/program.ts';
import { median, type Row, sampleAsync, spreadOf } from '../measure.ts';

const times = 15;

/** `--version` beside a bare node that does nothing. */
export const start = async (): Promise<readonly Row[]> => {
  const bare = median(await sampleAsync(times, () => node(['-e', '0'])));
  const samples = await sampleAsync(times, () => node([programFile, '--version']));
  const ours = median(samples);
  return [
    {
      name: '--version',
      value: ours,
      unit: 'ms',
      base: { name: 'bare node', value: bare },
      target: '< 120 ms and ≤ 3×',
      ok: ours < 120 && ours <= 3 * bare,
      spread: spreadOf(samples),
    },
  ];
};

const node = (args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore', env: cleanEnvironment() });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
