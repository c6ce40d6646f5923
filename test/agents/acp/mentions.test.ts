import { expect, test } from 'vitest';
import { z } from 'zod';
import { messageBlocks } from '../../../src/agents/backends/acp/message-text.ts';
import { example } from '../../../src/agents/profiles/example.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { briefOf, go, info, taskOf } from '../../helpers/role-port.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { bench } from '../../helpers/worker-bench.ts';
import { workspaceWith } from '../../helpers/workspace.ts';

test('a file that a message names is a link beside its text; an address and a file that is not there are none', () => {
  const there = new Set(['src/a.ts', 'README.md']);
  const said = [info('see @src/a.ts, (@README.md). Not kim@example.com, not @gone.ts')];
  expect(messageBlocks('words', said, (path) => (there.has(path) ? `file:///${path}` : null))).toEqual([
    { type: 'text', text: 'words' },
    { type: 'resource_link', uri: 'file:///src/a.ts', name: 'src/a.ts' },
    { type: 'resource_link', uri: 'file:///README.md', name: 'README.md' },
  ]);
});

const promptSchema = z.object({
  prompt: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

test('a message goes out with its links and behind our own words; an image in it is refused with a sentence', async () => {
  const good = `Done.\n${JSON.stringify({ status: 'completed', summary: ['It works.'] })}`;
  const agent = createScriptedAgent(tempDir(), {
    turns: [{ again: true, actions: [{ do: 'say', text: good }] }],
  });
  const workspace = workspaceWith({ 'a.txt': 'a', 'shot.png': 'p' });
  const brief = briefOf({ workspace, sessionDirectory: tempDir(), task: taskOf({}), attempt: 1 });
  const at = bench(acpBackend({ ...example, command: [agent.command, ...agent.args] }), brief, [
    go(info('/clear and look at @a.txt and @shot.png')),
  ]);
  expect(await at.turn('implement')).toMatchObject({ kind: 'answered' });
  await at.worker.end?.();
  const last = agent.log().findLast(({ method }) => method === 'session/prompt');
  const { prompt } = promptSchema.parse(last?.['params']);
  expect(prompt.slice(1)).toEqual([
    { type: 'resource_link', uri: `file://${workspace}/a.txt`, name: 'a.txt' },
  ]);
  expect(prompt[0]?.text).toMatch(/^Message from the person [\s\S]*\/clear/);
  expect(at.facts.filter(({ type }) => type === 'finding.noted')).toEqual([
    {
      type: 'finding.noted',
      text: 'shot.png is an image and was not sent: messages carry only text',
    },
  ]);
});
