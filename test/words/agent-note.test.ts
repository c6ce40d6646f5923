import { expect, test } from 'vitest';
import type { Event } from '../../src/pipeline/event.ts';
import { ownMessageId } from '../../src/pipeline/own-message.ts';
import { agentNote } from '../../src/words/agent-words.ts';

const arrived = (id: string): Event => ({
  seq: 1,
  at: '2026-02-15T03:15:00.000Z',
  type: 'message.arrived',
  invocation: 'Executor-6',
  task: 'pages',
  attempt: 2,
  id,
  way: 'command',
  detail: 'with `make pages`',
});

test('only what someone sent is called a message: the words of an earlier attempt name it', () => {
  expect(agentNote(arrived('8f2c'))).toEqual({ text: 'message arrived with `make pages`', tone: 'steer' });
  expect(agentNote(arrived(ownMessageId('failed', 'pages', 1)))).toEqual({
    text: 'the failure of attempt 1 was passed on with `make pages`',
    tone: 'plain',
  });
  expect(agentNote(arrived(ownMessageId('review', 'a.b:c', 12)))?.text).toMatch(/^the review of attempt 12 /);
  expect(agentNote(arrived(ownMessageId('merge', 'pages', 3)))?.text).toMatch(
    /^the refused merge of attempt 3 /,
  );
});
