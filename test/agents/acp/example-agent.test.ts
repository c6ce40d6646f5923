import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { example } from '../../../src/agents/profiles/example.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { briefOf, taskOf } from '../../helpers/role-port.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { bench } from '../../helpers/worker-bench.ts';

const agentFile = fileURLToPath(
  new URL('../../../node_modules/acp-example-agent/dist/examples/agent.js', import.meta.url),
);
const profile = { ...example, command: [process.execPath, agentFile] };

test('a turn of the example agent gives its words, its tool calls, a permission that nobody could grant, and no result', async () => {
  const brief = briefOf({ workspace: tempDir(), sessionDirectory: tempDir(), task: taskOf({}), attempt: 1 });
  const at = bench(acpBackend(profile), brief);
  const result = await at.turn('implement');
  await at.worker.end?.();
  expect(result).toMatchObject({ kind: 'no-result' });
  expect(at.output()).toContain("I'll help you with that");
  expect(at.output()).toContain("I'll skip the configuration update");
  expect(at.facts.slice(0, 9).map(({ type }) => type)).toEqual([
    'agent.launched',
    'agent.process-started',
    'agent.connected',
    'prompt.sent',
    'tool.started',
    'tool.ended',
    'tool.started',
    'tool.ended',
    'reply.ended',
  ]);
  const started = at.facts.find((fact) => fact.type === 'agent.process-started');
  expect(existsSync(`/proc/${started?.type === 'agent.process-started' ? started.pid : 0}/cmdline`)).toBe(
    false,
  );
});
