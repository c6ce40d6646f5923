import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend, Message } from '../../src/agents/port.ts';
import type { Fault } from '../../src/base/fault.ts';
import { type Guidance, type GuidanceItem, noGuidance } from '../../src/session/guidance/guidance.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

const plan = `goal: Ship it
tasks:
  - {id: one, title: One, verify: ['true']}
  - {id: two, title: Two, blockedBy: [one], verify: ['true']}
`;
const done = { kind: 'answered', answer: { status: 'completed' } } as const;
const forbids = (...forbidden: readonly GuidanceItem[]): Guidance => ({ ...noGuidance, forbidden });
const at = (path: string): string => join('/work', path);

/** A session whose guidance becomes `next` while the agent works on task one. Task two changes `gen/a.txt`. */
const sessionWith = async (before: Guidance, next: Guidance | Fault | null) => {
  let now: Guidance | Fault | null = before;
  const begun: (readonly [string, Guidance | undefined])[] = [];
  const heard: Message[] = [];
  const answers: string[] = [];
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false, asks: true },
    start: ({ task, guidance }, host) => {
      begun.push([task?.id ?? '', guidance]);
      return {
        turn: async (_ask, boundary) => {
          if (task?.id === 'two') session.disk.put(at('gen/a.txt'), 'after');
          if (task?.id !== 'one') return done;
          now = next;
          const directive = await boundary();
          if (directive.kind === 'go') heard.push(...directive.messages);
          const again = await boundary();
          if (again.kind === 'go') heard.push(...again.messages);
          answers.push(
            (await host.permission?.(
              {
                call: 'c1',
                kind: 'edit',
                title: 'Edit gen/a.txt',
                command: null,
                directory: '/work',
                paths: [at('gen/a.txt')],
                diffs: [],
                inside: true,
                ours: false,
                root: '/work',
                notes: [],
                memory: { identity: 'x' },
              },
              new AbortController().signal,
            )) ?? 'cancelled',
          );
          return done;
        },
        stop: async () => {},
      };
    },
  };
  const session = createSimulatedSession({
    plan,
    settings: {
      roles: { executor: 'mine' },
      permissions: 'all',
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
    guidance: before,
    guidanceNow: () => now,
    instructions: () => '# Mine',
    backends: [agent],
  });
  session.disk.mkdir(at('gen'));
  session.disk.put(at('gen/a.txt'), 'before');
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  const failed = session.all('task.failed').map(({ task, reason }) => `${task}: ${reason}`);
  const changes = session.all('guidance.changed').map(({ guidance }) => guidance.forbidden);
  const told = session
    .all('problem.found')
    .flatMap(({ fault }) => (fault.code.startsWith('guidance') ? [fault.what] : []));
  return { begun, heard, answers, failed, changes, told };
};

test('guidance that changes while an agent works is journaled, told, and enforced from the next checkpoint on', async () => {
  const next = forbids({ path: 'gen/**' });
  const { begun, heard, answers, failed, changes } = await sessionWith(noGuidance, next);
  expect(changes).toEqual([next.forbidden]);
  expect(heard).toMatchObject([
    { kind: 'INFO', text: 'The guidance has changed. From now on: avoid path:gen/**' },
  ]);
  expect(answers).toEqual(['refuse']);
  expect(begun).toEqual([
    ['one', undefined],
    ['two', next],
  ]);
  expect(failed).toEqual([expect.stringMatching(/^two: gen\/a\.txt must not be changed/)]);
});

test('an item that a person removes while an agent works binds nobody from then on', async () => {
  const { answers, failed, changes } = await sessionWith(forbids({ path: 'gen/**' }), noGuidance);
  expect(changes).toEqual([[]]);
  expect(answers).toEqual(['allow']);
  expect(failed).toEqual([]);
});

test('guidance that is gone or that nobody accepted changes nothing, and that is told once; the same again is no change', async () => {
  const before = forbids({ path: 'gen/**' });
  const as = { changes: [], heard: [], answers: ['refuse'] };
  const gone = '.ralph/guidance.yaml no longer exists; its previous content still applies';
  expect(await sessionWith(before, null)).toMatchObject({ ...as, told: [gone] });
  const foreign = { code: 'guidance-not-accepted', what: 'nobody accepted it' };
  expect(await sessionWith(before, foreign)).toMatchObject({ ...as, told: ['nobody accepted it'] });
  const same = { ...before, timestamp: '2026-02-15T10:15:00Z' };
  expect(await sessionWith(before, same)).toMatchObject({ ...as, told: [] });
  expect(await sessionWith(noGuidance, null)).toMatchObject({ changes: [], told: [] });
});
