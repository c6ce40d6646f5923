import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as listenAt } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256 } from '../../../src/base/hash.io.ts';
import { keptFilesOf } from '../../../src/cli/serve/kept-files.ts';
import { createWorld } from '../../../src/cli/world.ts';
import { readJournal } from '../../../src/observability/journal-file.ts';
import { evolve } from '../../../src/pipeline/evolve.ts';
import type { SessionState } from '../../../src/pipeline/state.ts';
import { createMailbox } from '../../../src/signals/mailbox/create-mailbox.ts';
import { cleanEnvironment, programFile } from '../../helpers/program.ts';
import { openProgram } from '../bench-terminal.ts';
import { type Listened, listen } from '../listened.ts';
import { inWorkspace, printerCommand, waitingPlan } from '../live-session.ts';
import {
  atMost,
  median,
  type Row,
  sample,
  sampleTurnsAsync,
  spreadOf,
  timeOf,
  turnsRow,
} from '../measure.ts';
import { watchLoad } from '../process-load.ts';
import { journalOf } from './replay.ts';

const token = 'b'.repeat(64);
const viewers = 20;
const events = 10_000;
const recorded = '260101-000000';
const world = createWorld();

/** What a paired browser waits for and what it costs: the built program over HTTP, beside a bare server, one viewer and a key. */
export const serve = (): Promise<readonly Row[]> =>
  inWorkspace(async (workspace) => {
    writeFileSync(join(workspace, 'plan.yaml'), waitingPlan(`echo at work; exec ${printerCommand(20)}`, 200));
    const host = listen([programFile, 'run', '--plan', 'plan.yaml', '--json', '--yes'], workspace);
    const port = await freePort();
    const served = openProgram(['serve', '--port', String(port)], workspace);
    try {
      await host.saying('at work');
      await served.waitFor(/two minutes/);
      const sessions = join(workspace, '.ralph-sessions');
      const session = readdirSync(sessions).find((name) => /^\d{6}-\d{6}$/.test(name)) ?? '';
      mkdirSync(join(sessions, recorded));
      writeFileSync(join(sessions, recorded, 'journal.jsonl'), journalOf(events, recorded, workspace));
      const ask = askerFor(workspace, port);
      return [
        await longSession(ask, join(sessions, recorded, 'journal.jsonl')),
        await firstPage(ask, session),
        await manyViewers(ask, session, served.pid),
        await fromAPage(ask, { host, session, directory: join(sessions, session, 'signals') }),
      ];
    } finally {
      await Promise.all([served.end(), host.end()]);
    }
  });

type Ask = (path: string, form?: Readonly<Record<string, string>>, over?: AbortSignal) => Promise<Response>;

/** Requests of a device that is paired already. */
const askerFor = (workspace: string, port: number): Ask => {
  const kept = keptFilesOf(cleanEnvironment(), createWorld(), workspace);
  const id = sha256(token).slice(0, 16);
  kept.pair({
    id,
    name: 'bench',
    scope: 'steer',
    token: sha256(token),
    paired: '2026-01-01T00:00:00.000Z',
    expires: '2999-01-01T00:00:00.000Z',
  });
  const { path, secret } = kept.read();
  const origin = `http://127.0.0.1:${port}`;
  return async (to, form, over) => {
    const answer = await fetch(`${origin}/${path}${to}`, {
      headers: {
        cookie: `ralph_serve=${token}`,
        ...(form === undefined ? {} : { origin, 'x-ralph-page': sha256(`${secret}:${id}`) }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      ...(over === undefined ? {} : { signal: over }),
    });
    if (!answer.ok) throw new Error(`${to} was answered with ${answer.status}`);
    return answer;
  };
};

/** Its first opening, as a person meets it: in a process that has folded no such session yet. */
const longSession = async (ask: Ask, journal: string): Promise<Row> => {
  const took = await timeOf(async () => (await ask(`/s/${recorded}`)).text());
  const base = median(
    sample(5, () => {
      let state: SessionState | null = null;
      for (const event of readJournal(world.disk, journal).events) state = evolve(state, event);
    }),
  );
  return {
    name: `serve: a session of ${events.toLocaleString('en')} events, until its page is there`,
    value: took,
    unit: 'ms',
    base: { name: 'reading and folding its journal, warm', value: base },
    ...atMost(25, took, base),
  };
};

const firstPage = async (ask: Ask, session: string): Promise<Row> => {
  const page = await (await ask(`/s/${session}`)).text();
  const bare = createServer((_, response) => response.end(page));
  const port = await new Promise<number>((resolve) =>
    bare.listen(0, '127.0.0.1', () => {
      const address = bare.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    }),
  );
  const turns = await sampleTurnsAsync(
    20,
    async () => (await ask(`/s/${session}`)).text(),
    async () => (await fetch(`http://127.0.0.1:${port}`)).text(),
  );
  bare.close();
  return turnsRow(
    'serve: the page of 200 tasks while an agent speaks',
    'the same bytes from a bare server',
    5.5,
    turns,
  );
};

/** What the process of `serve` takes while so many pages follow the session, whose agent says 20 lines a second. */
const loadWith = async (ask: Ask, session: string, pages: number, pid: number) => {
  const over = new AbortController();
  const streams = Array.from({ length: pages }, async () => {
    const answer = await ask(`/s/${session}/events`, undefined, over.signal);
    for await (const _ of answer.body ?? []);
  });
  await pause(2_000);
  const load = await watchLoad(pid, 10, 3);
  over.abort();
  await Promise.allSettled(streams);
  return load;
};

const manyViewers = async (ask: Ask, session: string, pid: number): Promise<Row> => {
  const one = await loadWith(ask, session, 1, pid);
  const many = await loadWith(ask, session, viewers, pid);
  return {
    name: `serve: ${viewers} pages that follow an agent: CPU`,
    value: many.cpu,
    unit: '%',
    base: { name: 'one page', value: one.cpu },
    ...atMost(2, many.cpu, one.cpu),
    spread: many.cpuSpread,
  };
};

interface Claims {
  readonly host: Listened;
  readonly session: string;
  readonly directory: string;
}

/** From the tap, or from the key, until the session has claimed the signal. */
const fromAPage = async (ask: Ask, { host, session, directory }: Claims): Promise<Row> => {
  const { disk, clock, random, spawn } = world;
  const mailbox = createMailbox(disk, clock, random, {
    directory,
    owner: spawn.self,
    isAlive: spawn.isAlive,
    hash: sha256,
  });
  const after = async (send: () => unknown, said: string): Promise<void> => {
    const heard = host.saying(`"type":"${said}"`);
    await send();
    await heard;
  };
  const publish = (type: 'PAUSE' | 'RESUME') => () => mailbox.publish({ type, target: 'ALL' });
  const tap = async (): Promise<string> => (await ask(`/s/${session}/act`, { do: 'pause' })).text();
  const ours: number[] = [];
  const base: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    ours.push(await timeOf(() => after(tap, 'signal.claimed')));
    // A PAUSE of a session that is still held would be refused.
    await after(publish('RESUME'), 'hold.ended');
    base.push(await timeOf(() => after(publish('PAUSE'), 'signal.claimed')));
    await after(publish('RESUME'), 'hold.ended');
  }
  return {
    name: 'serve: a tap on the page until its signal is claimed',
    value: median(ours),
    unit: 'ms',
    base: { name: 'a key', value: median(base) },
    ...atMost(2.3, median(ours), median(base)),
    spread: spreadOf(ours),
  };
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = listenAt();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
