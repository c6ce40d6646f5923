import { describe, expect, it } from 'vitest';
import type { Recipient } from '../../src/signals/mailbox.ts';
import { claimed, handling, published, type Scene, scene } from '../helpers/mailbox.ts';

const orchestrator: Recipient = { agent: 'Orchestrator', invocation: '1' };
const executor: Recipient = { agent: 'Executor', invocation: 'Executor-1' };
const reviewer: Recipient = { agent: 'Reviewer', invocation: 'Reviewer-1' };

const ackOf = (recipient: Recipient) => ({
  ...recipient,
  action: 'guidance',
  at: '2026-02-15T10:15:00+07:00',
  checkpoint: 'Executor.3.5',
});

/** An INFO to ALL that was frozen for the orchestrator and an executor. */
const frozenScene = () => {
  const set: Scene = scene();
  const { file } = published(set.mailbox, { type: 'INFO', message: 'Azure' });
  const [pendingSignal] = set.mailbox.peek().pendingSignals;
  if (!pendingSignal) throw new Error('nothing was peeked');
  set.mailbox.freeze(pendingSignal, [orchestrator, executor]);
  return { ...set, pendingSignal, file };
};

const states = (set: Pick<Scene, 'mailbox'>, id: string): readonly string[] | undefined =>
  set.mailbox.broadcast(id)?.recipients.map((each) => `${each.agent} ${each.state}`);

describe('a broadcast (rule 8)', () => {
  it('is frozen once: later freezes read the recipients of the first', () => {
    const { mailbox, pendingSignal, names, other } = frozenScene();
    expect(mailbox.freeze(pendingSignal, [reviewer]).recipients.map((each) => each.agent)).toEqual([
      'Orchestrator',
      'Executor',
    ]);
    expect(other(200).freeze(pendingSignal, [reviewer]).recipients).toHaveLength(2);
    expect(names(`acks/${pendingSignal.id.slice(0, 16)}`)).toEqual(['recipients.yaml']);
  });

  it('is acknowledged or struck by each recipient, and the first word stands', () => {
    const set = frozenScene();
    const { mailbox, pendingSignal } = set;
    expect(states(set, pendingSignal.id)).toEqual(['Orchestrator waiting', 'Executor waiting']);
    mailbox.acknowledge(pendingSignal.id, ackOf(executor));
    mailbox.strike(pendingSignal.id, executor);
    mailbox.strike(pendingSignal.id, orchestrator);
    mailbox.acknowledge(pendingSignal.id, ackOf(orchestrator));
    expect(states(set, pendingSignal.id)).toEqual(['Orchestrator ended', 'Executor acked']);
  });

  it('is acknowledged by one of two agents of a role for itself alone', () => {
    const set: Scene = scene();
    published(set.mailbox, { type: 'INFO', message: 'Azure' });
    const [pendingSignal] = set.mailbox.peek().pendingSignals;
    if (!pendingSignal) throw new Error('nothing was peeked');
    set.mailbox.freeze(pendingSignal, [executor, { ...executor, invocation: 'Executor-2' }]);
    set.mailbox.acknowledge(pendingSignal.id, ackOf(executor));
    expect(states(set, pendingSignal.id)).toEqual(['Executor acked', 'Executor waiting']);
  });

  it('stays in inputs/ until it is archived, and is no open broadcast after', () => {
    const { mailbox, pendingSignal, names, file, text } = frozenScene();
    expect(names('inputs')).toEqual([file]);
    expect(mailbox.broadcasts()).toHaveLength(1);
    const claim = claimed(mailbox, pendingSignal);
    expect(mailbox.archive(claim, handling('all told', ['Executor~Executor-1']))).toBeNull();
    expect(mailbox.broadcasts()).toEqual([]);
    expect(mailbox.peek().pendingSignals).toEqual([]);
    expect(text(`processed/${file}`)).toContain('acks:\n    - Executor~Executor-1\n');
  });

  it('is forgotten by a viewer when the engine has archived it', () => {
    const { mailbox, pendingSignal, other } = frozenScene();
    const viewer = other(200);
    viewer.open();
    expect(viewer.peek().pendingSignals.map(({ id }) => id)).toEqual([pendingSignal.id]);
    const claim = claimed(mailbox, pendingSignal);
    expect(mailbox.peek().pendingSignals).toEqual([]);
    mailbox.archive(claim, handling('all told'));
    expect(viewer.peek().pendingSignals).toEqual([]);
    expect(viewer.broadcasts()).toEqual([]);
  });

  it('is known again after a restart, with the words that were said', () => {
    const { mailbox, pendingSignal, other } = frozenScene();
    mailbox.acknowledge(pendingSignal.id, ackOf(executor));
    const next = other(200);
    next.open();
    expect(next.broadcasts()).toMatchObject([
      {
        id: pendingSignal.id,
        pendingSignal: { file: pendingSignal.file },
        recipients: [{ state: 'waiting' }, { state: 'acked', action: 'guidance' }],
      },
    ]);
  });

  it.each([
    [
      'edited',
      (set: ReturnType<typeof frozenScene>) =>
        set.disk.put(set.input(set.file), 'type: INFO\nmessage: AWS\n...\n'),
    ],
    ['removed', (set: ReturnType<typeof frozenScene>) => set.disk.unlink(set.input(set.file))],
  ])('is what it was at the freeze when its file is %s after', (what, change) => {
    const set = frozenScene();
    const { mailbox, pendingSignal, text, names } = set;
    change(set);
    const pendingSignals = mailbox.peek().pendingSignals.map((each) => each.signal.message);
    expect(pendingSignals).toEqual(what === 'edited' ? expect.arrayContaining(['Azure', 'AWS']) : ['Azure']);
    const claim = claimed(mailbox, pendingSignal);
    expect(mailbox.archive(claim, handling('all told'))).toBeNull();
    expect(text(`processed/${pendingSignal.file}`)).toContain('message: Azure');
    // What a person wrote over it is a signal of its own.
    expect(mailbox.peek().pendingSignals.map((each) => each.signal.message)).toEqual(
      what === 'edited' ? ['AWS'] : [],
    );
    expect(names('claimed')).toEqual([]);
  });

  it.each(['edited', 'removed'])('stays in the list while half delivered, though its file was %s', (what) => {
    const { mailbox, pendingSignal, disk, input, file, other } = frozenScene();
    mailbox.acknowledge(pendingSignal.id, ackOf(executor));
    if (what === 'edited') disk.put(input(file), 'type: INFO\nmessage: AWS\n...\n');
    else disk.unlink(input(file));
    // A listing program has not opened the mailbox.
    const listed = () =>
      other(200)
        .list()
        .filter(({ id }) => id === pendingSignal.id);
    expect(listed()).toMatchObject([
      { stage: 'pending', file, signal: { message: 'Azure' }, acks: ['Executor~Executor-1'] },
    ]);
    const claim = claimed(mailbox, pendingSignal);
    mailbox.archive(claim, handling('all told'));
    expect(listed()).toMatchObject([{ stage: 'processed' }]);
  });

  it('goes back to inputs/ when its claimer dies before all are in', () => {
    const { pendingSignal, other, names } = frozenScene();
    claimed(other(200), pendingSignal);
    const next = other(300, new Set([200]));
    next.open();
    expect(next.recover({ takeOver: false }).claims).toEqual([]);
    expect(names('inputs')).toEqual([pendingSignal.file]);
    expect(names('claimed')).toEqual([]);
  });
});
