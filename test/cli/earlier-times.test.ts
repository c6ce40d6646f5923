import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { earlierCallCost } from '../../src/cli/session/earlier-times.ts';
import { eventBodySchema } from '../../src/pipeline/event.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { eventSamples } from '../helpers/event-samples.ts';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const plan = (title: string, tail = ''): string =>
  `goal: Twice\nsettings: {planning: {max_cycles: 0}}\ntasks:\n  - {id: slow, title: Slow, files: [a], run: ["sleep 0.3", "touch a"]}\n  - {id: quick, title: ${title}, files: [b], run: ["touch b"]}\n${tail}`;

const startOf = async (workspace: string, text: string) => {
  writeFileSync(join(workspace, 'plan.yaml'), text);
  const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(code).toBe(0);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => eventBodySchema().parse(JSON.parse(line)));
  return events.find((event) => event.type === 'session.started');
};

test('a session knows how long the tasks of earlier ones of its workspace took', async () => {
  const workspace = tempDir();
  expect(await startOf(workspace, plan('Quick'))).not.toHaveProperty('earlier');
  const second = await startOf(workspace, plan('Other'));
  expect(second?.earlier?.tasks).toMatchObject({ slow: { title: 'Slow' }, quick: { title: 'Quick' } });
  expect(second?.earlier?.tasks['slow']?.ms).toBeGreaterThanOrEqual(300);
  expect(second?.earlier?.usual).toMatchObject({ tasks: 2, cost: null });
  expect((await startOf(workspace, plan('Other')))?.earlier).toMatchObject({
    tasks: { quick: { title: 'Other' } },
    usual: { tasks: 4 },
  });
});

test('what a call cost is the mean of the works whose agents said a cost, over all sessions', () => {
  const workspace = tempDir();
  const { 'invocation.started': started, 'agent.usage-reported': used } = eventSamples;
  const journalOf = (session: string, costs: readonly number[]): void => {
    const { journal } = sessionPaths(workspace, session);
    mkdirSync(dirname(journal), { recursive: true });
    const lines = costs.flatMap((amount, at) => {
      const invocation = `Executor-${at + 1}`;
      return [
        { ...started, invocation },
        { ...used, invocation, cost: { amount, currency: 'USD' } },
      ];
    });
    const at = '2026-02-15T12:00:00.000Z';
    writeFileSync(
      journal,
      lines.map((line, index) => `${JSON.stringify({ ...line, seq: index + 1, at })}\n`).join(''),
    );
  };
  expect(earlierCallCost(createDisk(), workspace)).toBeNull();
  journalOf('260215-101500', [0.1, 0.3]);
  journalOf('260215-101600', [0.5]);
  expect(earlierCallCost(createDisk(), workspace)).toEqual({ amount: expect.closeTo(0.3), currency: 'USD' });
});
