import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { isLongForm } from '../helpers/test-form.ts';

type Session = ReturnType<typeof createFlowSession>;

const phases = ['split', 'triage', 'research', 'plan', 'review', 'implement', 'pr', 'merge'] as const;
type Phase = (typeof phases)[number];

const victimPath = '/work/.ralph/issues/1.md';

/** What a person does to issue 1 while its phase is at work. */
const meddlings: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  edited: async ({ disk }) => {
    disk.put(victimPath, `${disk.text(victimPath)}\nAnd one more thing.\n`);
  },
  closed: ({ person }) => person.update('1', { state: 'Done', lock: null }, null),
  canceled: ({ person }) => person.update('1', { state: 'Canceled', lock: null }, null),
  deleted: async ({ disk }) => disk.unlink(victimPath),
  'moved back': ({ person }) => person.update('1', { state: 'Backlog', lock: null }, null),
  'given to a person': ({ person }) => person.update('1', { state: 'Human Needed', lock: null }, null),
};

const states: Readonly<Record<Phase, string>> = {
  split: 'state: backlog\nestimate: L',
  triage: 'state: backlog',
  research: 'state: research-needed',
  plan: 'state: ready-for-plan',
  review: 'state: ready-for-plan',
  implement: 'state: ready-for-plan',
  pr: 'state: ready-for-plan',
  merge: 'state: ready-for-plan',
};

const kinds: Readonly<Partial<Record<Phase, string>>> = {
  split: 'flow-split',
  triage: 'flow-triage',
  research: 'flow-research',
  plan: 'flow-plan',
  review: 'flow-review',
  implement: 'implement',
  pr: 'flow-pr',
};

/** Issue 1 in a phase, and 3 beside it in a stream of its own; the group is merged by the engine. */
const meddled = (phase: Phase, meddle: (session: Session) => Promise<unknown>): Session => {
  let done = false;
  const once = async (): Promise<void> => {
    if (done) return;
    done = true;
    await meddle(session);
  };
  const session: Session = createFlowSession({
    issues: {
      9: 'state: backlog',
      1: `${states[phase]}\nparent: "9"`,
      3: 'state: research-needed\nparent: "9"',
    },
    start: { issue: '9', auto_merge: true },
    settings: { loop: { ...defaultSettings.loop, verify: ['true'] } },
    answers: async ({ kind }, { task }) => {
      if (kind === kinds[phase] && /-1(?:_|$)/.test(task?.id ?? '')) await once();
      return undefined;
    },
    tracker: (tracker) => ({
      ...tracker,
      comment: async (id, body) => {
        const made = await tracker.comment(id, body);
        // The merge has no agent: it comes right after the document of the pull request.
        if (phase === 'merge' && id === '1' && body.startsWith('## Implementation Complete')) await once();
        return made;
      },
    }),
  });
  return session;
};

/** The short form meddles in every other way with each phase: every phase and every way is in it. */
const waysIn = (phase: Phase): readonly string[] =>
  Object.keys(meddlings).filter((_, at) => isLongForm || (at + phases.indexOf(phase)) % 2 === 0);

describe.each(phases)('while an issue is in %s, a person', (phase) => {
  test.each(waysIn(phase))('has it %s', async (name) => {
    const meddle = meddlings[name] ?? (async () => {});
    const session = meddled(phase, meddle);
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    const end = await session.settle(engine);
    const problem = session.find('flow.step-refused', ({ lost }) => !lost)?.reason;
    expect(problem).toBeUndefined();
    // The other issue is untouched by it, also where both share a plan.
    expect((await session.issue('3')).state).toBe('Done');
    expect((await session.issue('3')).lock).toBeUndefined();
    const started = session.all('task.started').map(({ task }) => task);
    expect(new Set(started).size).toBe(started.length);
    const merged = session.all('task.qualified').filter(({ task }) => task.startsWith('merge-'));
    expect(new Set(merged.map(({ task }) => task)).size).toBe(merged.length);
    const own = session
      .all('tasks.defined')
      .flatMap(({ tasks }) => tasks)
      .filter(({ metadata }) => JSON.stringify(metadata?.['issues']) === '["1"]');
    const isMerged = merged.some(({ task }) => own.some(({ id }) => id === task));
    if (name !== 'edited' && phases.indexOf(phase) < phases.indexOf('implement') && name !== 'moved back')
      expect(started.filter((task) => /^implement-1(?:_|$)/.test(task))).toEqual([]);
    if (name === 'deleted') {
      expect(session.disk.lstat(victimPath)).toBeNull();
      expect(isMerged).toBe(false);
      return;
    }
    const victim = await session.issue('1');
    expect(victim.lock).toBeUndefined();
    if (name === 'edited') {
      expect(victim.body).toContain('And one more thing.');
      expect([victim.state, end.exitCode]).toEqual(['Done', 0]);
      return;
    }
    const expected = { closed: 'Done', canceled: 'Canceled', 'given to a person': 'Human Needed' }[name];
    if (expected !== undefined) {
      expect(victim.state).toBe(expected);
      if (phase !== 'merge') expect(isMerged).toBe(false);
      if (name === 'given to a person') expect(end.exitCode).toBe(1);
    }
    expect(end.status).not.toBe('blocked');
  });
});

test.each(['plan', 'review'] as const)(
  'of two issues that share a plan, one that a person moves back in %s is left out, and what waits for it in the tracker waits',
  async (phase) => {
    const session = createFlowSession({
      issues: {
        9: 'state: backlog',
        1: 'state: ready-for-plan\nparent: "9"',
        2: 'state: ready-for-plan\nparent: "9"',
        3: 'state: ready-for-plan\nparent: "9"\nblockedBy: ["1"]',
      },
      start: { issue: '9', auto_merge: true },
      settings: { loop: { ...defaultSettings.loop, verify: ['true'] } },
      answers: async ({ kind }) => {
        if (kind === kinds[phase]) await session.person.update('1', { state: 'Backlog', lock: null }, null);
        return undefined;
      },
    });
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    const end = await session.settle(engine);
    expect(end).toMatchObject({ exitCode: 1 });
    const states = await Promise.all(['1', '2', '3'].map(async (id) => (await session.issue(id)).state));
    expect(states).toEqual(['Backlog', 'Done', 'In Progress']);
    const comments = (await session.issue('1')).comments.map(({ body }) => body);
    expect(comments.filter((body) => body.startsWith('## Implementation Complete'))).toEqual([]);
    expect((await session.issue('3')).lock).toBeUndefined();
  },
);
