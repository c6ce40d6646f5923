import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { briefIn, git, recordingHost, repositoryWithTask } from './remote-session.ts';

/** A place of the port of backends: where its workers work, and how a test waits for them. */
export interface PortPlace {
  /** The backend as the engine sees it. */
  readonly backend: Backend;
  readonly wait: <T>(promise: Promise<T>) => Promise<T>;
}

/** The promises of the port, wherever its workers work. */
export const conforms = (name: string, make: () => Promise<PortPlace> | PortPlace): void => {
  const ask = (prompt: string) => ({ kind: 'implement', prompt, messages: [] });

  test(`${name}: a turn's facts and output arrive in order, and its files are there when the worker has ended`, async () => {
    const { backend, wait } = await make();
    const { workspace, brief } = repositoryWithTask();
    const { host, facts, output, boundary } = recordingHost();
    const worker = backend.start(brief, host);
    const result = await wait(
      worker.turn(ask('fact one\nsay hello\nfile new.txt\nfact two\nreport schema\nask why?'), boundary),
    );
    expect(result.kind).toBe('answered');
    expect(facts.map((fact) => 'text' in fact && fact.text)).toEqual([
      'one',
      'two',
      'report of schema',
      'answer to why?',
    ]);
    expect(output.join('')).toBe('hello');
    await wait(worker.end?.() ?? Promise.resolve());
    expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('new.txt\n');
    expect(git(workspace, 'status', '--porcelain')).toBe('?? new.txt');
  });

  test(`${name}: each boundary is the host's, its messages reach the worker, and a pause keeps the continuation`, async () => {
    const { backend, wait } = await make();
    const { brief } = repositoryWithTask();
    const message = { id: 'm', kind: 'STEER', text: 'turn left' } as const;
    const { host, facts, boundary, passed } = recordingHost([
      { kind: 'go', messages: [message] },
      { kind: 'pause' },
    ]);
    const worker = backend.start(brief, host);
    const result = await wait(worker.turn(ask('boundary a\nboundary b\nfact never'), boundary));
    expect(result).toEqual({ kind: 'paused', continuation: { at: 'b' } });
    expect(facts).toEqual([{ type: 'finding.noted', text: 'turn left' }]);
    expect(passed()).toBe(2);
    await wait(worker.end?.() ?? Promise.resolve());
  });

  test(`${name}: a permission is decided by the host`, async () => {
    const { backend, wait } = await make();
    const { brief } = repositoryWithTask();
    const { host, facts, boundary } = recordingHost();
    const worker = backend.start(brief, host);
    await wait(worker.turn(ask('permission good\npermission bad'), boundary));
    expect(facts.map((fact) => 'text' in fact && fact.text)).toEqual(['allow', 'refuse']);
    await wait(worker.end?.() ?? Promise.resolve());
  });

  test.each(['abort', 'cancel'] as const)(
    `${name}: a stop (%s) ends the current turn, and the work so far is kept`,
    async (why) => {
      const { backend, wait } = await make();
      const { workspace, brief } = repositoryWithTask();
      const { host, facts, boundary } = recordingHost();
      const worker = backend.start(brief, host);
      const turn = worker.turn(ask('file half.txt\nfact waits\nwait\nfact never'), boundary);
      await wait(expect.poll(() => facts.length).toBe(1) as unknown as Promise<void>);
      await wait(worker.stop(why));
      expect(await wait(turn)).toEqual({ kind: 'stopped', why });
      await wait(worker.end?.() ?? Promise.resolve());
      expect(existsSync(join(workspace, 'half.txt'))).toBe(true);
      expect(facts).toHaveLength(1);
    },
  );

  test(`${name}: a failed turn keeps its fault and the agent's last words`, async () => {
    const { backend, wait } = await make();
    const { brief } = repositoryWithTask();
    const { host, boundary } = recordingHost();
    const worker = backend.start(brief, host);
    expect(await wait(worker.turn(ask('throw it broke'), boundary))).toMatchObject({
      kind: 'failed',
      fault: { what: 'it broke' },
    });
    expect(worker.lastWords?.()).toBe('the last line');
    await wait(worker.end?.() ?? Promise.resolve());
  });

  test(`${name}: several workers at once do not meet`, async () => {
    const { backend, wait } = await make();
    const places = [1, 2, 3].map((n) => ({ n, ...repositoryWithTask() }));
    const done = places.map(async ({ n, workspace }) => {
      const { host, boundary } = recordingHost();
      const worker = backend.start(briefIn(workspace, `Executor-${n}`), host);
      const result = await worker.turn(ask(`file ${n}.txt`), boundary);
      await worker.end?.();
      return result;
    });
    // A turn that failed says why here; without this its missing file would look like lost work.
    expect(await wait(Promise.all(done))).toEqual(
      places.map(() => ({ kind: 'answered', answer: expect.anything() })),
    );
    for (const { n, workspace } of places)
      expect(git(workspace, 'status', '--porcelain')).toBe(`?? ${n}.txt`);
  });
};
