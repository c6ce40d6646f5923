import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followJournal, withOutput } from '../../src/cli/session/journal-feed.ts';
import { createWorld } from '../../src/cli/world.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createStory, task } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('what was written before anybody followed is told once there is an answer to stop with', async () => {
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.directory, { recursive: true });
  const { events } = createStory().begin();
  writeFileSync(paths.journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  let isGiven = false;
  const told: boolean[] = [];
  await new Promise<void>((resolve) => {
    const stop = followJournal(createWorld(), paths, { offset: 0, events: [] }, () => {
      told.push(isGiven);
      if (told.length === events.length) resolve();
    });
    isGiven = true;
    onTestFinished(() => stop());
  });
  expect(told).toEqual(events.map(() => true));
});

test('of past output the end is put back from the start of a line, with its place in the file and what is left out', () => {
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.logs, { recursive: true });
  const lines = Array.from({ length: 20_000 }, (_, index) => `größe ${index}\n`);
  const text = lines.join('');
  const to = new TextEncoder().encode(text).length;
  writeFileSync(join(paths.logs, 't-r1.log'), text);
  const story = createStory()
    .begin()
    .tasks([task('t')])
    .wave(1, ['t'])
    .starts('t')
    .command('t', 'node print.js', 0, 1)
    .commandEnds('t');
  const events = story.events.map((event) =>
    event.type === 'command.ended' ? { ...event, log: { file: 'logs/t-r1.log', from: 0, to } } : event,
  );
  const put = withOutput(createWorld(), paths, events).find((event) => event.type === 'output.written');
  if (put?.type !== 'output.written') throw new Error('nothing was put back');
  expect(put.text).toMatch(/^größe \d+\n/);
  expect(put.text.length).toBeGreaterThan(50_000);
  expect(put.byte).toBe(to - new TextEncoder().encode(put.text).length);
  expect(put.skipped).toBe(put.byte);
});

test('what several commands printed since the last look is told between their own starts and ends', async () => {
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.logs, { recursive: true });
  const [first, second] = ['a\nb\n', 'c\nd\n'];
  writeFileSync(join(paths.logs, 't-r1.log'), first + second);
  const story = createStory()
    .begin()
    .tasks([task('t')])
    .wave(1, ['t'])
    .starts('t')
    .command('t', 'one', 0, 2)
    .commandEnds('t', true, 0)
    .command('t', 'two', 1, 2);
  const log = { file: 'logs/t-r1.log', from: 0, to: first.length };
  const events = story.events.map((event) => (event.type === 'command.ended' ? { ...event, log } : event));
  writeFileSync(paths.journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const told: string[] = [];
  await new Promise<void>((resolve) => {
    const stop = followJournal(createWorld(), paths, { offset: 0, events: [] }, (event) => {
      if (event.type === 'output.written') told.push(`${event.byte}: ${event.text}`);
      else if (event.type.startsWith('command.')) told.push(event.type);
      if (told.length === 5) resolve();
    });
    onTestFinished(() => stop());
  });
  expect(told).toEqual([
    'command.started',
    `0: ${first}`,
    'command.ended',
    'command.started',
    `4: ${second}`,
  ]);
});

test('what an agent said before its tools, and before the end of its reply, is put back where it stood', () => {
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.logs, { recursive: true });
  writeFileSync(join(paths.logs, 't-r1.log'), 'I look.\nIt works.\n');
  const of = { invocation: 'Executor-1', task: 't', attempt: 1 };
  const piece = (from: number, to: number) => ({ file: 'logs/t-r1.log', from, to });
  const { events } = createStory()
    .begin()
    .tasks([task('t')])
    .wave(1, ['t'])
    .starts('t')
    .add({
      ...{ type: 'tool.started', ...of, call: 'c', title: 'Read', kind: 'read', paths: [] },
      log: piece(0, 8),
    })
    .add({ type: 'reply.ended', ...of, index: 0, stop: 'end_turn', duration_ms: 5, log: piece(8, 18) });
  const put = withOutput(createWorld(), paths, events).slice(-4);
  expect(put.map((event) => (event.type === 'output.written' ? event.text : event.type))).toEqual([
    'I look.\n',
    'tool.started',
    'It works.\n',
    'reply.ended',
  ]);
});
