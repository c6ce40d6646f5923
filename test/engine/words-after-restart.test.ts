import { expect, test } from 'vitest';
import { example } from '../../src/agents/backends/acp/profiles/example.ts';
import { withOutput } from '../../src/cli/session/journal-feed.ts';
import { createWorld } from '../../src/cli/world.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { acpBackend } from '../helpers/acp-backend.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const toolCall = {
  sessionUpdate: 'tool_call',
  toolCallId: 'c',
  title: 'Read a.txt',
  kind: 'read',
  status: 'completed',
};

test('the words of an agent whose attempt has ended are there again, between its tool calls, when its session is opened later', async () => {
  const { command, args } = createScriptedAgent(tempDir(), {
    turns: [
      {
        again: true,
        actions: [
          { do: 'say', text: 'I look.\n' },
          { do: 'update', update: toolCall },
          { do: 'say', text: '{"status": "completed", "summary": ["It works."]}\n' },
        ],
      },
    ],
  });
  const session = createRealSession(tempDir(), 'goal: x\ntasks: [{id: t, title: T, objective: Look}]\n', {
    backends: [acpBackend({ ...example, command: [command, ...args] })],
    settings: { roles: { executor: 'example' }, permissions: 'all' },
    isAgreed: () => true,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  const world = createWorld();
  const { events } = readJournal(world.disk, session.paths.journal, 0);
  const executor = events.find((event) => event.type === 'invocation.started' && event.role === 'Executor');
  const of = executor?.type === 'invocation.started' ? executor.invocation : '';
  const shown = withOutput(world, session.paths, events).flatMap((event) =>
    event.type === 'output.written' && event.invocation === of
      ? [event.text]
      : event.type === 'tool.started' || event.type === 'reply.ended'
        ? [event.type]
        : [],
  );
  expect(shown).toEqual([
    'I look.\n',
    'tool.started',
    '{"status": "completed", "summary": ["It works."]}\n',
    'reply.ended',
  ]);
});
