import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { countJournal } from '../../src/observability/statistics/read-statistics.ts';
import { createStatistics, type Statistics } from '../../src/observability/statistics/statistics.ts';
import { type EventBody, eventBodySchema } from '../../src/pipeline/event.ts';
import { eventSamples } from '../helpers/event-samples.ts';
import { createSeededRandom, type SeededRandom } from '../helpers/seeded-random.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const statesOf = ['PLANNING', 'BATCHING', 'REVIEWING_BATCH'] as const;

/** A session in which agents spend, people are waited for and states change, mixed at random, and the program stops once. */
const journalOf = (random: SeededRandom): string => {
  const bodies: EventBody[] = [];
  const agents = ['claude', 'codex', 'gemini'].map((backend, index) => ({
    invocation: `Executor-${index + 1}`,
    backend,
    session: `s${index}`,
    cost: 0,
  }));
  for (const { invocation, backend, session } of agents)
    bodies.push(
      { ...eventSamples['invocation.started'], invocation, backend },
      { ...eventSamples['agent.connected'], invocation, session },
    );
  let asked = 0;
  const waiting: EventBody[] = [];
  const ask = (question: EventBody, answer: EventBody): void => {
    bodies.push(question);
    waiting.push(answer);
  };
  for (let step = 0; step < 400; step += 1) {
    const agent = random.pick(agents);
    const { invocation } = agent;
    asked += 1;
    const request = `r${asked}`;
    switch (random.int(8)) {
      case 0: {
        // A restarted agent counts anew; a report without growth adds nothing.
        agent.cost = random.chance(0.1) ? random.int(50) / 100 : agent.cost + random.int(200) / 100;
        const cost = { amount: agent.cost, currency: 'USD' };
        bodies.push({ ...eventSamples['agent.usage-reported'], invocation, cost });
        break;
      }
      case 1: {
        const counts = random.chance(0.7)
          ? { tokens: { input: random.int(9_000), output: random.int(900) } }
          : {};
        bodies.push({ ...eventSamples['reply.ended'], invocation, index: step, ...counts });
        break;
      }
      case 2:
        ask(
          { ...eventSamples['question.asked'], request },
          { ...eventSamples['question.answered'], request },
        );
        break;
      case 3:
        ask(
          { ...eventSamples['permission.asked'], request },
          { ...eventSamples['permission.answered'], request },
        );
        break;
      case 4:
        bodies.push({ ...eventSamples['state.entered'], state: random.pick(statesOf) });
        break;
      case 5: {
        const [answer] = waiting.splice(random.int(waiting.length + 1), 1);
        if (answer !== undefined) bodies.push(answer);
        break;
      }
      case 6:
        bodies.push(eventSamples['hold.begun'], eventSamples['hold.ended']);
        break;
      default:
        bodies.push(eventSamples['gate.opened'], eventSamples['gate.decided']);
    }
    if (step === 200)
      bodies.push(eventSamples['session.stopped'], { ...eventSamples['session.started'], reason: 'resume' });
  }
  let at = Date.UTC(2026, 1, 15, 22);
  return bodies
    .map((body, index) => {
      at += 1 + random.int(60_000);
      return `${JSON.stringify({ ...eventBodySchema().parse(body), seq: index + 1, at: new Date(at).toISOString() })}\n`;
    })
    .join('');
};

/** One value of each line that matches, by a pattern over the text: no schema, no fold. */
const found = (text: string, type: string, pattern: RegExp): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.includes(`"type":"${type}"`))
    .flatMap((line) => pattern.exec(line)?.[1] ?? []);

const sum = (values: readonly (number | string)[]): number =>
  values.reduce<number>((total, value) => total + Number(value), 0);

/** Running totals of one agent: each run of growth counts by its highest. */
const spentBy = (text: string, invocation: string): number => {
  const totals = found(
    text,
    'agent.usage-reported',
    new RegExp(`"invocation":"${invocation}".*"amount":([\\d.]+)`),
  ).map(Number);
  return sum(totals.filter((total, index) => (totals[index + 1] ?? -1) < total));
};

const atOf = (line: string): number => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? '');

/** Milliseconds from each line of one type to the next line of the other with the same request. */
const between = (text: string, from: string, to: string, key: RegExp): readonly number[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!line.includes(`"type":"${from}"`)) return [];
    const same = key.exec(line)?.[0] ?? '';
    const end = lines.slice(index).find((each) => each.includes(`"type":"${to}"`) && each.includes(same));
    return end === undefined ? [] : [atOf(end) - atOf(line)];
  });
};

const middleOf = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? null;

const statistics = (...files: readonly string[]): Statistics => {
  const count = createStatistics((ms) => new Date(ms).toISOString().slice(0, 10));
  for (const file of files) countJournal(createDisk(), file, count);
  return count.result();
};

test.each([1, 2, 3, 4])(
  'tokens, cost, waits and times of journal %i are those of a count over its text',
  (seed) => {
    const text = journalOf(createSeededRandom(seed));
    const file = join(tempDir(), 'journal.jsonl');
    writeFileSync(file, text);
    const { usage, times } = statistics(file);

    const input = found(text, 'reply.ended', /"input":(\d+)/);
    expect(input.length).toBeGreaterThan(10);
    expect(usage.total.tokensIn).toBe(sum(input));
    expect(usage.total.tokensOut).toBe(sum(found(text, 'reply.ended', /"output":(\d+)/)));
    expect(usage.total.uncountedReplies).toBe(found(text, 'reply.ended', /("seq")/).length - input.length);

    const spent = ['Executor-1', 'Executor-2', 'Executor-3'].map((invocation) => spentBy(text, invocation));
    expect(sum(spent)).toBeGreaterThan(10);
    expect(usage.total.costs).toEqual([{ amount: expect.closeTo(sum(spent), 6), currency: 'USD' }]);
    for (const [index, agent] of ['claude', 'codex', 'gemini'].entries())
      expect(usage.byAgent.find((each) => each.agent === agent)?.costs[0]?.amount).toBeCloseTo(
        spent[index] ?? Number.NaN,
        6,
      );
    expect(usage.byDay.length).toBeGreaterThan(1);
    expect(sum(usage.byDay.map(({ costs }) => costs[0]?.amount ?? 0))).toBeCloseTo(sum(spent), 6);

    const request = /"request":"r\d+"/;
    const waits = {
      question: between(text, 'question.asked', 'question.answered', request),
      permission: between(text, 'permission.asked', 'permission.answered', request),
      pause: between(text, 'hold.begun', 'hold.ended', /"type"/),
      'knowledge gate': between(text, 'gate.opened', 'gate.decided', /"gate":"knowledge"/),
    };
    for (const [name, values] of Object.entries(waits)) {
      expect(values.length).toBeGreaterThan(3);
      expect(times.waits.find((wait) => wait.for === name)).toMatchObject({
        count: values.length,
        total: sum(values),
        median: middleOf(values),
      });
    }

    // What is left of the whole, without the time before the first state and the time in which no program ran.
    const lines = text.trimEnd().split('\n');
    const first = lines.find((line) => line.includes('"type":"state.entered"')) ?? '';
    const last = lines.findLast((line) => line.includes('"type":"state.entered"')) ?? '';
    const away = sum(between(text, 'session.stopped', 'session.started', /"type"/));
    expect(away).toBeGreaterThan(0);
    expect(sum(times.states.map(({ ms }) => ms))).toBe(atOf(last) - atOf(first) - away);
    expect(times.states.map(({ state }) => state).toSorted()).toEqual([...statesOf].toSorted());

    const twice = statistics(file, file);
    expect(twice.usage.total.tokensIn).toBe(2 * sum(input));
    expect(twice.times.waits.find((wait) => wait.for === 'question')?.total).toBe(2 * sum(waits.question));
  },
);
