import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { scopes } from '../../src/serve/access/scope.ts';
import { actionNames, readAction } from '../../src/serve/act/action.ts';
import { fieldsOf } from '../../src/serve/act/fields.ts';
import { sections } from '../../src/serve/render/sections.tsx';
import { everyEvent, withTexts } from '../helpers/page-session.ts';
import { defineTask } from '../helpers/pipeline-run.ts';
import { deviceWith, served } from '../helpers/served.ts';
import { createStory } from '../helpers/story.ts';

const token = '7'.repeat(64);

test('text of agents in every field shows as text on every page', async () => {
  const hostile = `<img src=x onerror="alert(1)"></script><script>alert(2)</script>{{7*7}}" hx-get="/x`;
  const events = withTexts(everyEvent(), (number) => `${hostile} ${number}`);
  const { ask, session } = served(events, [deviceWith(token, 'steer')]);
  const page = async (path: string): Promise<string> => (await ask(path, { token })).text();
  const whole = await page(session);
  const tasks = [...whole.matchAll(/href="[^"]*(\/s\/[^"]*\/task\/[^"]*)"/g)].map(([, path = '']) => path);
  expect(tasks.length).toBeGreaterThan(2);
  const planned = served(
    createStory()
      .begin(hostile)
      .tasks([defineTask('one', { title: hostile, objective: hostile, criteria: [hostile] })])
      .add({ type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: [] }).events,
    [deviceWith(token, 'steer')],
  );
  const plan = await (await planned.ask(`${planned.session}/plan/plan`, { token })).text();
  for (const text of [whole, await page('/'), plan, ...(await Promise.all(tasks.map(page)))]) {
    expect(text).not.toMatch(/<img|<script>|onerror="alert|" hx-get="\/x/);
    expect(text.match(/<script /g)).toHaveLength(3);
  }
  for (const text of [whole, plan, await page(tasks[0] ?? '')])
    expect(text).toContain('&lt;img src=x onerror=');
});

test('whatever a form holds, it is answered with a sentence or read as one known action, and no scope gets more than it may', () => {
  const state = evolveAll(
    null,
    createStory()
      .begin('g')
      .tasks([defineTask('one', { title: 'One' })]).events,
  );
  const name = fc.oneof(
    fc.constantFrom('do', 'task', 'request', 'option', 'message', '__proto__', 'on:one'),
    fc.string(),
  );
  const value = fc.oneof(
    fc.constantFrom(...actionNames, 'one', 'once', 'no', 'plan', '../x', '__proto__'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.constantFrom(...scopes), (pairs, scope) => {
      const fields = fieldsOf(new URLSearchParams(pairs).toString());
      if (fields === null) return;
      const wanted = readAction(state, fields, scope);
      if (scope === 'watch') expect(wanted.kind).toBe('refused');
      if (scope === 'steer') expect(['signal', 'refused', 'confirm-me']).toContain(wanted.kind);
      if (wanted.kind === 'signal' && scope === 'steer')
        expect(['INFO', 'STEER', 'RETRY', 'PAUSE', 'RESUME', 'ANSWER']).toContain(wanted.signal.type);
      if (wanted.kind === 'refused') expect(wanted.why).toMatch(/^[A-Z"].*\.?$/s);
    }),
    { numRuns: 400 },
  );
  expect(fieldsOf(`a=${'%00'}`)).toBeNull();
  expect(sections.map((each) => each.name)).toEqual(['head', 'needs', 'tasks', 'timeline', 'steering']);
});

test('a session of 10,000 events is a page in less than two seconds', async () => {
  const events = everyEvent();
  const last = events.at(-1);
  const more = Array.from({ length: 10_000 }, (_, index) => ({
    ...events[index % events.length],
    seq: events.length + index + 1,
    at: new Date(Date.parse(last?.at ?? '') + index * 1_000).toISOString(),
  }));
  const notes = more.flatMap(({ seq, at }) => [
    { type: 'finding.noted', invocation: 'Executor-1', text: `found ${seq}`, seq, at } as const,
  ]);
  const { ask, session } = served([...events, ...notes], [deviceWith(token, 'watch')]);
  const began = performance.now();
  const answer = await ask(session, { token });
  expect(answer.status).toBe(200);
  console.log(
    `10,000 events: ${Math.round(performance.now() - began)} ms, ${(await answer.text()).length} characters`,
  );
});
