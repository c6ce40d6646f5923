import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, programFile } from '../helpers/program.ts';

/**
 * `npm run picture` also writes `test/picture/demo.cast`: the sample session (`ralph-tui demo`), recorded by `export` from its journal, with the
 * speed that makes it this long.
 */
const seconds = 40;

const scratch = mkdtempSync(join(tmpdir(), 'ralph-tui-recording-'));
const state = join(scratch, 'state');
mkdirSync(state);
const program = (cwd: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [programFile, ...args], {
    cwd,
    encoding: 'utf8',
    env: cleanEnvironment({
      TMPDIR: scratch,
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: join(scratch, 'config'),
    }),
  });

const lengthOf = (file: string): number =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .reduce((sum, line) => sum + Number(JSON.parse(line)[0]), 0);

const [, workspace = ''] = /The sample project is in (.+)/.exec(program(scratch, 'demo', '--headless')) ?? [];
const record = (file: string, speed: number): void => {
  program(workspace, 'export', 'latest', '--cast', file, '--size', '120x36', '--speed', String(speed));
};
const whole = join(scratch, 'whole.cast');
record(whole, 1);
const file = join(import.meta.dirname, 'demo.cast');
// Waits end at two seconds at any speed, so that twice the speed is not half the length.
let speed = lengthOf(whole) / seconds;
for (let round = 0; round < 4; round += 1) {
  record(file, speed);
  speed *= lengthOf(file) / seconds;
}
console.log(`${file}: ${lengthOf(file).toFixed(1)} s of ${lengthOf(whole).toFixed(1)} s`);
rmSync(scratch, { recursive: true });
