import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createLiveSession, liveDone } from '../../helpers/live-session.ts';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;

const answerSchema = z.object({ outcome: z.object({ optionId: z.string() }) });

const command = (text: string, cwd = '/work') => ({
  kind: 'execute' as const,
  title: text,
  rawInput: { command: text, cwd },
});

test('"this session" holds for the whole command in its place, under any id, and for nothing that shows only a part', async () => {
  const long = `echo ${'x'.repeat(9_000)}`;
  const calls = [
    command(`${long} a`),
    command(`${long} a`),
    command(`${long} b`),
    command(`${long} a`, '/work/other'),
    { kind: 'fetch' as const, title: 'Processing URLs' },
    { kind: 'fetch' as const, title: 'Processing URLs' },
  ];
  const answers: string[] = [];
  const live = createLiveSession(
    async ({ client, sessionId, say }) => {
      for (const call of calls) {
        // The id of a call that ended is used again and again.
        const toolCall = { toolCallId: 'call_0', status: 'pending' as const, ...call };
        const answer = await client.request(methods.client.session.requestPermission, {
          sessionId,
          toolCall,
          options: [...options],
        });
        answers.push(answerSchema.parse(answer).outcome.optionId);
        await client.notify(methods.client.session.update, {
          sessionId,
          update: { sessionUpdate: 'tool_call_update', toolCallId: 'call_0', status: 'completed' },
        });
      }
      await say(liveDone);
      return 'end_turn';
    },
    { attended: true },
  );
  const engine = live.session.begin();
  expect(await engine.start()).toBeNull();
  const asked = () => live.session.all('permission.asked');
  const answer = async (count: number, decision: 'session' | 'no'): Promise<string | null> => {
    await live.until(() => asked().length === count);
    return engine.permit({ request: asked().at(-1)?.request ?? '', decision, by: 'kim' });
  };
  expect(await answer(1, 'session')).toBeNull();
  // The same command again is not asked about; its last letter and its place are.
  expect(await answer(2, 'no')).toBeNull();
  expect(await answer(3, 'no')).toBeNull();
  expect(await answer(4, 'session')).toBe('this request can only be allowed once');
  expect(await answer(4, 'no')).toBeNull();
  expect(await answer(5, 'no')).toBeNull();
  expect(await answer(5, 'no')).toBe('already answered by kim');
  await live.until(() => answers.length === calls.length);
  expect(answers).toEqual(['yes', 'yes', 'no', 'no', 'no', 'no']);
  expect(asked().map(({ command: shown, once }) => [shown?.slice(-1), once])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['a', undefined],
    [undefined, 'the agent shows only a title, which may be incomplete'],
    [undefined, 'the agent shows only a title, which may be incomplete'],
  ]);
  expect(live.session.all('tool.started').map(({ call }) => call)).toEqual([
    'call_0',
    ...[2, 3, 4, 5, 6].map((use) => `call_0#${use}`),
  ]);
  await engine.quit('quit');
});
