import { expect, test } from 'vitest';
import { createRedact } from '../../src/base/redact.ts';
import { parseArchived } from '../../src/signals/envelope.ts';
import { claimed, handling, mailboxOn } from '../helpers/mailbox.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const secret = `sk-${'Ab3'.repeat(8)}`;
const root = '/session/signals';

const open = () => {
  const disk = createSimulatedDisk();
  const clock = createManualClock();
  const mailbox = mailboxOn(disk, { clock, redact: createRedact(['correct horse battery']) });
  const fault = mailbox.open();
  if (fault) throw new Error(fault.what);
  const put = (name: string, text: string): void => disk.put(`${root}/inputs/${name}`, text);
  const all = (directory: string): readonly string[] =>
    disk.readdir(`${root}/${directory}`).map((name) => disk.text(`${root}/${directory}/${name}`));
  return { disk, clock, mailbox, put, all };
};

const one = 'signal.260215-101500Z-001.yaml';

test('an archive keeps everything of a signal but its secrets, in values, keys and comments, and stays readable', () => {
  const { disk, mailbox, put } = open();
  put(
    one,
    `# for ${secret}\ntype: INFO # correct horse battery\ntarget: Executor\nmessage: ${secret}\n${secret}: x\nnote: kept\n...\n`,
  );
  const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
  // Whoever takes it is told all of it.
  expect(claim.signal.message).toBe(secret);
  expect(mailbox.archive(claim, handling(`told: ${secret}`))).toBeNull();
  const text = disk.text(`${root}/processed/${one}`);
  expect(text).not.toContain(secret);
  expect(text).not.toContain('correct horse');
  expect(text).toContain('note: kept');
  const { value } = parseArchived(one, new TextEncoder().encode(text));
  expect(value.signal?.message).toBe('[redacted]');
  expect(value.handling).toMatchObject({ id: claim.id, action_taken: 'told: [redacted]' });
});

test('a broadcast is taken with its secret by everybody, and keeps none of it afterwards', () => {
  const { mailbox, put, all } = open();
  put(one, `type: STEER\ntarget: ALL\nmessage: use ${secret}\n...\n`);
  const [pendingSignal] = mailbox.peek().pendingSignals;
  if (!pendingSignal) throw new Error('nothing was peeked');
  const recipient = { agent: 'Executor', invocation: 'Executor-1' } as const;
  expect(mailbox.freeze(pendingSignal, [recipient]).pendingSignal.signal.message).toBe(`use ${secret}`);
  expect(mailbox.broadcast(pendingSignal.id)?.pendingSignal.signal.message).toBe(`use ${secret}`);
  mailbox.acknowledge(pendingSignal.id, {
    ...recipient,
    action: `adjusted: ${secret}`,
    at: '',
    checkpoint: 'Executor.3.5',
  });
  expect(mailbox.archive(claimed(mailbox, pendingSignal), handling('done'))).toBeNull();
  for (const text of [...all(`acks/${pendingSignal.id.slice(0, 16)}`), ...all('processed')])
    expect(text).not.toContain(secret);
});

test('what is rejected keeps no secret, neither in its copy nor in the reason', () => {
  const { mailbox, clock, put, all } = open();
  put(one, `type: ${secret}\nmessage: correct horse battery\n...\n`);
  mailbox.peek();
  clock.advance(10_000);
  for (const { file, reason } of mailbox.peek().spoiled) mailbox.reject(file, reason);
  expect(all('rejected')).toHaveLength(2);
  for (const text of all('rejected')) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('correct horse');
  }
});
