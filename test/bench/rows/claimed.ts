import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../src/base/hash.io.ts';
import { createWorld } from '../../../src/cli/world.ts';
import { createMailbox } from '../../../src/signals/mailbox/create-mailbox.ts';
import { programFile } from '../../helpers/program.ts';
import { listen } from '../listened.ts';
import { inWorkspace, waitingPlan } from '../live-session.ts';
import { atMost, percentile, type Row } from '../measure.ts';

const times = 200;

/**
 * How long a signal lies there before the session has claimed it, while an agent is at work and `Orchestrator.watch` is open: from the `link` that makes
 * it appear to the line that the program prints. Beside it a bare process that prints what `fs.watch` tells it, with the same files in the same way.
 */
export const claimed = (): Promise<readonly Row[]> =>
  inWorkspace(async (workspace) => {
    writeFileSync(join(workspace, 'plan.yaml'), waitingPlan('echo at work; sleep 600', 1));
    const program = listen([programFile, 'run', '--plan', 'plan.yaml', '--json', '--yes'], workspace);
    const bare = join(workspace, 'signals');
    for (const name of ['tmp', 'inputs']) mkdirSync(join(bare, name), { recursive: true, mode: 0o700 });
    const watcher = listen(
      [join(import.meta.dirname, '../programs/watch-directory.ts'), join(bare, 'inputs')],
      workspace,
    );
    try {
      await program.saying('at work');
      await watcher.saying('ready');
      const sessions = join(workspace, '.ralph-sessions');
      const session = readdirSync(sessions).find((name) => /^\d{6}-\d{6}$/.test(name)) ?? '';
      const ours = await sampleNotice(join(sessions, session, 'signals'), ({ id }) =>
        program.saying(`"type":"signal.claimed","id":"${id}"`),
      );
      const base = await sampleNotice(bare, ({ file }) => watcher.saying(`saw ${file}\n`));
      return [
        {
          name: 'signal written → claimed while an agent works, p95',
          value: percentile(ours, 0.95),
          unit: 'ms',
          base: { name: 'fs.watch in a bare process, p95', value: percentile(base, 0.95) },
          ...atMost(3, percentile(ours, 0.95), percentile(base, 0.95)),
        },
      ];
    } finally {
      await Promise.all([program.end(), watcher.end()]);
    }
  });

/** Milliseconds from the moment a signal can be seen until `noticed`, one signal after the other, at moments that no poll can have hit by design. */
const sampleNotice = async (
  directory: string,
  noticed: (made: { readonly id: string; readonly file: string }) => Promise<void>,
): Promise<readonly number[]> => {
  const { disk, clock, random, spawn: processes } = createWorld();
  let visible = 0;
  const link = (from: string, to: string): void => {
    disk.link(from, to);
    visible = performance.now();
  };
  const mailbox = createMailbox({ ...disk, link }, clock, random, {
    directory,
    owner: processes.self,
    isAlive: processes.isAlive,
    hash: sha256,
  });
  const samples: number[] = [];
  for (let count = 0; count < times; count += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5 + (count % 20)));
    const made = mailbox.publish({
      type: 'SET',
      target: 'ALL',
      set: { 'timeouts.task_wip_minutes': 30 + (count % 2) },
    });
    if ('code' in made) throw new Error(made.what);
    await noticed(made);
    if (count >= times / 10) samples.push(performance.now() - visible);
  }
  return samples;
};
