import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { elicit } from '../../../src/agents/backends/acp/elicitation/elicit.ts';
import type { PersonQuestion } from '../../../src/agents/tool-inputs.ts';
import { createLiveSession, liveDone as done } from '../../helpers/live-session.ts';

/** Fills in a form with these answers, one after the other; then nobody answers any more. */
const fill = async (schema: unknown, ...answers: readonly string[]) => {
  const asked: PersonQuestion[] = [];
  const answer = await elicit(
    { message: 'Set it up', schema },
    { ask: async (question) => answers[asked.push(question) - 1] ?? null },
  );
  return { answer, asked };
};

describe('a form of an agent', () => {
  test('is one question a field, and its answers have the types of the fields', async () => {
    const { answer, asked } = await fill(
      {
        type: 'object',
        properties: {
          db: { type: 'string', title: 'Which database?', oneOf: [{ const: 'pg', title: 'Postgres' }] },
          port: { type: 'integer', description: 'Its port' },
          ssl: { type: 'boolean', title: 'TLS', description: 'encrypted' },
          days: { type: 'array', items: { enum: ['mon', 'tue', 'wed'] } },
          note: { type: 'string' },
        },
        required: ['db', 'port', 'ssl', 'days', 'note'],
      },
      'postgres',
      '5432',
      'Yes',
      'mon, wed',
      'as it is',
    );
    expect(answer).toEqual({
      action: 'accept',
      content: { db: 'pg', port: 5432, ssl: true, days: ['mon', 'wed'], note: 'as it is' },
    });
    expect(asked).toEqual([
      { question: 'Set it up · Which database?', options: ['Postgres', 'decline'] },
      { question: 'Set it up · Its port', options: ['decline'] },
      { question: 'Set it up · TLS (encrypted)', options: ['yes', 'no', 'decline'] },
      { question: 'Set it up · days', options: ['decline'] },
      { question: 'Set it up · note', options: ['decline'] },
    ]);
  });

  test('asks again, with the reason, for an answer that does not fit', async () => {
    const schema = { properties: { port: { type: 'integer', minimum: 1 } }, required: ['port'] };
    const { answer, asked } = await fill(schema, 'none', '0', '80');
    expect(answer).toEqual({ action: 'accept', content: { port: 80 } });
    expect(asked.map(({ question }) => question)).toEqual([
      'Set it up · port',
      'Set it up · port · "none" is not a valid answer: answer with a whole number',
      'Set it up · port · "0" is not a valid answer: answer with 1 or more',
    ]);
  });

  test('an optional field can be skipped, and a form declined', async () => {
    const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } } };
    expect((await fill(schema, 'skip', 'x')).answer).toEqual({ action: 'accept', content: { b: 'x' } });
    expect((await fill(schema, 'x', 'Decline')).answer).toEqual({ action: 'decline' });
  });

  test('is cancelled when nobody answers, and declined when a required field is of an unknown kind', async () => {
    const schema = { properties: { a: { type: 'string' } }, required: ['a'] };
    expect((await fill(schema)).answer).toEqual({ action: 'cancel' });
    expect((await fill({ properties: { a: { type: '_odd' } }, required: ['a'] })).answer).toEqual({
      action: 'decline',
    });
    expect((await fill(null)).answer).toEqual({ action: 'decline' });
  });
});

const form = {
  mode: 'form',
  message: 'Set it up',
  requestedSchema: {
    type: 'object',
    properties: { port: { type: 'integer', title: 'Which port?' } },
    required: ['port'],
  },
} as const;

test('a form waits in the needs-you queue, and the answer reaches the agent in the same turn', async () => {
  const answers: unknown[] = [];
  const { session, prompts, until } = createLiveSession(
    async ({ say, client, sessionId }) => {
      answers.push(await client.request(methods.client.elicitation.create, { sessionId, ...form }));
      await say(done);
      return 'end_turn';
    },
    { attended: true },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await until(() => engine.state().questions.has('ask:one:1'));
  expect(engine.state().questions.get('ask:one:1')).toMatchObject({ text: 'Set it up · Which port?' });
  session.publish({ type: 'ANSWER', request: 'ask:one:1', message: '8080', from: 'kim' });
  expect(await session.settle(engine)).toMatchObject({ status: 'completed' });
  expect(answers).toEqual([{ action: 'accept', content: { port: 8080 } }]);
  expect(prompts()).toHaveLength(1);
});

test('without a person a form ends the session with exit 3 and its question', async () => {
  const answers: unknown[] = [];
  const { session } = createLiveSession(async ({ say, client, sessionId }) => {
    answers.push(await client.request(methods.client.elicitation.create, { sessionId, ...form }));
    await say('I cannot go on.');
    return 'end_turn';
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({
    exitCode: 3,
    reason: 'gate: Set it up · Which port?',
  });
  expect(answers).toEqual([{ action: 'cancel' }]);
});
