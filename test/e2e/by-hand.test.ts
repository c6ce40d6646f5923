import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { startSession } from '../helpers/program.ts';
import { processedSignal, processedSignals } from '../helpers/session-files.ts';
import { onlySession, release, waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const startWaiting = async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startSession(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  return { workspace, program, inputs: join(onlySession(workspace), 'signals/inputs') };
};

test('a signal that is written slowly, valid at every pause, is acted on once and whole', async () => {
  const { workspace, program, inputs } = await startWaiting();
  // Without a final newline a file rests two seconds before it counts as whole.
  execFileSync(
    'sh',
    [
      '-c',
      'printf "type: PAUSE\\nmessage: half" > "$0"; sleep 0.6; printf " and" >> "$0"; sleep 0.6; printf " half\\n" >> "$0"',
      'signal.261121-101500.yaml',
    ],
    { cwd: inputs },
  );
  await program.waitFor(/PAUSE .*paus/);
  expect(processedSignal(workspace, 'PAUSE')).toContain('message: half and half\n');
  release(workspace, 'first');
  release(workspace, 'second');
  await program.waitFor(/\d paused\n/);
  await ask(['signal', 'RESUME'], { cwd: workspace });
  expect((await program.done).code).toBe(0);
  expect(processedSignals(workspace)).toHaveLength(2);
});

test("an editor's save is taken; its swap, backup and probe files are never read and never removed", async () => {
  const { workspace, program, inputs } = await startWaiting();
  const name = 'signal.261121-101500.yaml';
  const abort = 'type: ABORT\n...\n';
  const strays = [`.${name}.swp`, `.${name}.swx`, `${name}~`, '4913', `#${name}#`];
  for (const stray of strays) writeFileSync(join(inputs, stray), abort);
  // As vim does it: the new text goes into a file of another name, which is then renamed into place.
  execFileSync(
    'sh',
    [
      '-c',
      'printf "type: INFO\\ntarget: Executor\\nmessage: saved twice\\n...\\n" > ".$0.new" && mv ".$0.new" "$0"',
      name,
    ],
    { cwd: inputs },
  );
  release(workspace, 'first');
  release(workspace, 'second');
  expect((await program.done).code).toBe(0);
  expect(readFileSync(join(workspace, 'first.txt'), 'utf8')).toContain('info=[saved twice]');
  expect(readdirSync(inputs).toSorted()).toEqual(strays.toSorted());
});

test('a file that is no signal is put aside with the reason in a sentence, and the session goes on', async () => {
  const { workspace, program, inputs } = await startWaiting();
  writeFileSync(
    join(inputs, 'signal.261121-101500.yaml'),
    'type: STEEER\nmessage: \u001b]0;owned\u0007\n...\n',
  );
  writeFileSync(join(inputs, 'signal.261121-101501.yaml'), 'type: ABORT\ntask: first\n...\n');
  const rejected = join(onlySession(workspace), 'signals/rejected');
  await program.waitFor(/CANCEL stops one task/);
  release(workspace, 'first');
  release(workspace, 'second');
  expect((await program.done).code).toBe(0);
  expect(existsSync(join(rejected, 'signal.261121-101501.yaml.error.txt'))).toBe(true);
  const rows = await ask(['signals'], { cwd: workspace });
  expect(JSON.stringify(rows)).toContain('CANCEL stops one task');
  expect(program.output()).not.toContain('\u001b');
});
