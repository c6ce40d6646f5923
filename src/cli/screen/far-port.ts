import { z } from 'zod';
import type { Changes, ChangesRef } from '../../../components/ports/viewer-port.ts';
import { boundedJson } from '../../agents/bounded-json.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { safe } from '../../base/safe.ts';
import { asSentence } from '../../base/sentence.ts';
import type { Signal } from '../../signals/signal.ts';
import type { Cli } from '../cli.ts';
import type { FarSession } from '../runners/far-sessions.ts';
import { callThere, type Machine } from '../runners/machine.ts';
import { signalArguments } from '../runners/signal-arguments.ts';
import type { World } from '../world.ts';
import { described } from './intent-port.ts';
import type { SessionPort } from './screen.tsx';

/** Turns keys into calls of the program on another machine: each writes what a key there would write. */
export const createFarPort = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  machine: Machine,
  { session_id: session, workspace }: FarSession,
): SessionPort => {
  const call = async (words: readonly string[]): Promise<string> => {
    const { code, out, said } = await callThere(cli, world, machine, { words, directory: workspace });
    if (code === 0) return new TextDecoder().decode(out);
    const why = said.split('\n').findLast((line) => line.trim() !== '') ?? `it exited with code ${code}`;
    throw new Error(safe(`${machine.name}: ${why.replace(/^ralph-tui: /u, '')}`));
  };
  const of = ['--session', session];
  return {
    perform: async (intent) => {
      switch (intent.type) {
        case 'permit':
        case 'revoke':
          throw new Error(
            `Permission requests are answered on the screen that hosts the session, on ${machine.name}`,
          );
        case 'take-back': {
          const attempt = intent.attempt === null ? [] : ['--attempt', String(intent.attempt)];
          await call([intent.way, '--yes', ...attempt, ...of, '--', intent.task]);
          return intent.way === 'undo' ? 'undone' : 'brought back';
        }
        case 'confirm':
          await call(['signals', 'confirm', ...of, '--', intent.id]);
          return 'confirmed';
        case 'withdraw':
          await call(['signals', 'withdraw', ...of, '--', intent.id]);
          return 'withdrawn: the signal';
        default: {
          if ('commands' in intent && intent.commands !== undefined)
            throw new Error(`Not sent: commands can be edited only on ${machine.name} itself`);
          // The replaced signal is withdrawn first. In the other order both could be read.
          if (intent.type === 'replace') await call(['signals', 'withdraw', ...of, '--', intent.id]);
          await call([
            ...signalArguments(intent.signal),
            ...of,
            '--',
            intent.signal.type,
            ...messageOf(intent.signal),
          ]);
          return `sent: ${described(intent.signal)}`;
        }
      }
    },
    preview: async () => null,
    viewer: {
      readLog: async () => null,
      searchLog: (_log, _text, tell) => {
        tell({ at: [], done: true, more: false });
        return () => undefined;
      },
      readReport: async ({ task }) => {
        try {
          return (await call(['report', ...of, '--', task])).trimEnd();
        } catch {
          return null;
        }
      },
      readDocument: async () => null,
      readChanges: (wanted) => readChanges(call, of, wanted),
    },
  };
};

const messageOf = ({ message }: Signal): readonly string[] => (message === undefined ? [] : [message]);

const count = z.number().int().nonnegative().nullable();
const files = z.array(z.object({ path: z.string().max(4_096), added: count, removed: count })).max(20_000);
const statSchema = z.object({
  changed: files,
  unmerged: z
    .array(z.object({ task: z.string().max(200), files }))
    .max(5_000)
    .default([]),
});
const diffSchema = z.object({ diff: z.string() });

const readChanges = async (
  call: (words: readonly string[]) => Promise<string>,
  session: readonly string[],
  { of: { task, attempt } }: ChangesRef,
): Promise<Changes> => {
  const words = [
    ...(attempt === null || task === null ? [] : ['--attempt', String(attempt)]),
    ...session,
    '--json',
    ...(task === null ? [] : ['--', task]),
  ];
  try {
    const [stat, whole] = await Promise.all([call(['diff', '--stat', ...words]), call(['diff', ...words])]);
    const { changed, unmerged } = statSchema.parse(boundedJson(stat));
    const { diff } = diffSchema.parse(boundedJson(whole));
    return { files: changed, diff, cut: false, missing: null, unmerged };
  } catch (error) {
    const why =
      error instanceof Error && !(error instanceof z.ZodError)
        ? error.message
        : 'the answer from the other machine could not be read';
    return { files: [], diff: '', cut: false, missing: asSentence(`No diff: ${why}`) };
  }
};

/** The command that shows a session of another machine. */
export const attachCommand = (runner: string, session: string): string =>
  printedCommand('ralph-tui', 'attach', `${runner}:${session}`);
