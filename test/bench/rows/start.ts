import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '../../helpers/program.ts';
import { taskOf } from '../../helpers/role-port.ts';
import { storedId } from '../../helpers/stored-story.ts';
import { createStory } from '../../helpers/story.ts';
import { writeIn } from '../../helpers/workspace.ts';
import { type Row, sampleTurnsAsync, turnsRow } from '../measure.ts';
import { startBareNode, startNode } from '../start-node.ts';

/** What people and agents start most, beside a bare node that does nothing. */
export const start = async (): Promise<readonly Row[]> => {
  const workspace = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    writeQuietSession(workspace);
    return await rowsIn(workspace);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};

const rowsIn = async (workspace: string): Promise<readonly Row[]> => {
  const event = JSON.stringify({ session_id: 'bench', cwd: workspace, tool_name: 'Bash' });
  const rowOf = async (name: string, times: number, args: readonly string[]): Promise<Row> =>
    turnsRow(
      name,
      'bare node',
      times,
      await sampleTurnsAsync(15, () => startNode([programFile, ...args], workspace, event), startBareNode),
    );
  return [
    await rowOf('--version', 1.6, ['--version']),
    await rowOf('--help', 1.6, ['--help']),
    await rowOf('hook before a tool call, nothing to say', 2.5, ['hook', 'PreToolUse']),
    await rowOf('signal', 5, ['signal', 'INFO', 'Port 8080']),
    await rowOf('status', 5, ['status']),
  ];
};

/** A session under way that nothing holds. */
const writeQuietSession = (workspace: string): void => {
  const directory = join(workspace, '.ralph-sessions', storedId);
  const { events } = createStory()
    .begin('Ship it')
    .tasks([taskOf({ id: 'one' })]);
  writeIn(directory, 'journal.jsonl', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  writeIn(directory, 'signals/processed/signal.old.yaml', '');
  utimesSync(join(directory, 'signals/processed'), 1, 1);
  writeIn(directory, 'metadata.yaml', 'orchestrator:\n  state: EXECUTING_BATCH\n  paused: null\n');
};
