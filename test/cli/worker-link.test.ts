import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createForeignBackend } from '../../src/agents/backends/foreign/create-foreign-backend.ts';
import { dialHost } from '../../src/cli/integrations/worker-link.ts';
import { openWritableSession } from '../../src/cli/session/open-session.ts';
import { writeDoor } from '../../src/cli/session/worker-door.ts';
import { createWorld } from '../../src/cli/world.ts';
import { serveWorkers } from '../../src/mcp/workers/serve-workers.io.ts';
import { acquireLock } from '../../src/session/lock.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createStory } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const world = createWorld();

/** A workspace, and its sessions as files, each with this process as its host unless nobody runs it. */
const place = () => {
  const workspace = tempDir();
  const cli = createTestCli({ cwd: workspace, env: { XDG_STATE_HOME: join(workspace, 'state') } });
  mkdirSync(join(workspace, '.git'));
  const write = (id: string, state: 'EXECUTING_BATCH' | 'COMPLETE'): void => {
    const { directory, journal, metadata } = sessionPaths(workspace, id);
    mkdirSync(directory, { recursive: true });
    const { events } = createStory().begin().state(state);
    writeFileSync(journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const status = state === 'COMPLETE' ? 'completed' : 'in_progress';
    writeFileSync(
      metadata,
      `version: 1.1.0\nsession_id: ${id}\nstatus: ${status}\norchestrator:\n  state: ${state}\n`,
    );
  };
  const hosted = async (id: string): Promise<void> => {
    const paths = sessionPaths(workspace, id);
    acquireLock(world.disk, world.random, paths, world.spawn.self, world.spawn.isAlive);
    const { clock, random } = world;
    const served = await serveWorkers({
      ...{ clock, random, door: () => null, watch: () => () => {} },
      works: createForeignBackend(clock),
      token: `the token of ${id}`,
    });
    onTestFinished(served.close);
    writeDoor(cli.env, world, paths, served.at);
  };
  const dial = async (known: string | null, named?: string): Promise<string> => {
    const { line, token, session } = await dialHost(cli, world, { named, known });
    line.close();
    expect(token).toBe(`the token of ${session}`);
    return session;
  };
  return { workspace, cli, write, hosted, dial };
};

const [older, newer] = ['261101-100000', '261102-100000'];

test('a worker stays with its session until that is complete, and then finds the next team', async () => {
  const { write, hosted, dial } = place();
  for (const id of [older, newer]) {
    write(id, 'EXECUTING_BATCH');
    await hosted(id);
  }
  expect(await dial(null)).toBe(newer);
  expect(await dial(older)).toBe(older);
  write(older, 'COMPLETE');
  expect(await dial(older)).toBe(newer);
  expect(await dial(newer, older)).toBe(older);
});

test('a worker that finds no team hears what starts one, and what continues its own', async () => {
  const { write, dial } = place();
  await expect(dial(null)).rejects.toThrow(
    'no team is working here: `ralph-tui run --issue ID --mode team` starts one',
  );
  write(older, 'EXECUTING_BATCH');
  await expect(dial(older)).rejects.toThrow(
    `no program is running session ${older}: \`ralph-tui resume ${older}\``,
  );
  write(older, 'COMPLETE');
  await expect(dial(older)).rejects.toThrow('no team is working here');
});

test('a session whose program is still at its first files is being started, and not one of an unknown layout', () => {
  const { workspace, cli } = place();
  const paths = sessionPaths(workspace, newer);
  mkdirSync(paths.directory, { recursive: true });
  expect(() => openWritableSession(cli, undefined)).toThrow('unknown layout');
  acquireLock(world.disk, world.random, paths, world.spawn.self, world.spawn.isAlive);
  expect(() => openWritableSession(cli, undefined)).toThrow(`session ${newer} is being started`);
});
