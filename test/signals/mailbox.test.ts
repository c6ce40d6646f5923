import { describe, expect, it } from 'vitest';
import { DiskError } from '../../src/base/disk.ts';
import type { Mailbox } from '../../src/signals/mailbox.ts';
import { claimed, handling, mailboxOn, published, scene, watched } from '../helpers/mailbox.ts';
import { identityOf } from '../helpers/mailbox-identity.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

describe('publishing (rule 1)', () => {
  it('puts a whole, durable file into inputs/ before it reports success', () => {
    const { mailbox, disk, text, names } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE', target: 'Executor' });
    expect(file).toMatch(/^signal\.260215-031500Z-000[0-9a-f]{6}\.yaml$/);
    expect(text(`inputs/${file}`)).toBe(
      'type: PAUSE\ntarget: Ralph-Executor\ncreated_at: 2026-02-15T10:15:00+07:00\n...\n',
    );
    expect(id).toBe(identityOf(file, text(`inputs/${file}`)));
    expect(names('tmp')).toEqual([]);
    disk.loseUnflushed(() => true);
    expect(names('inputs')).toEqual([file]);
  });

  it('never uses a millisecond twice, also when the clock steps back', () => {
    const { mailbox, clock, names } = scene();
    for (let count = 0; count < 500; count += 1) published(mailbox, { type: 'INFO', message: String(count) });
    clock.setNow(clock.now() - 3_600_000);
    for (let count = 500; count < 1_000; count += 1)
      published(mailbox, { type: 'INFO', message: String(count) });
    expect(new Set(names('inputs').map((name) => name.slice(0, 25))).size).toBe(1_000);
    const pendingSignals: string[] = [];
    for (let round = 0; pendingSignals.length < 1_000 && round < 20; round += 1) {
      pendingSignals.length = 0;
      pendingSignals.push(
        ...mailbox.peek().pendingSignals.map((pendingSignal) => pendingSignal.signal.message ?? ''),
      );
    }
    expect(pendingSignals).toEqual(Array.from({ length: 1_000 }, (_, count) => String(count)));
  });

  it.each([
    ['what its kind forbids', { type: 'STEER', target: 'ALL' } as const, 'STEER needs a message'],
    [
      'what is too large to be read',
      { type: 'INFO', target: 'ALL', message: 'x'.repeat(20_000) } as const,
      'is larger than 16384 bytes',
    ],
    [
      'a task that is a path',
      { type: 'RETRY', target: 'ALL', task: '../../x' } as const,
      '"../../x" is not a task id',
    ],
  ])('refuses %s, and writes nothing', (_, signal, what) => {
    const { mailbox, names } = scene();
    expect(mailbox.publish(signal)).toMatchObject({ what });
    expect(names('inputs')).toEqual([]);
  });

  it('says that the disk is full, keeps nothing half written, and goes on afterwards', () => {
    const { mailbox, disk, names } = scene();
    disk.setSpace(20);
    expect(mailbox.publish({ type: 'PAUSE', target: 'ALL' })).toMatchObject({
      what: 'the signal was not written: the disk is full',
    });
    expect([...names('inputs'), ...names('tmp')]).toEqual([]);
    disk.setSpace(null);
    published(mailbox, { type: 'PAUSE' });
  });
});

describe('wholeness (rule 2)', () => {
  it('takes a file with the end mark at once', () => {
    const { mailbox, disk, input } = scene();
    disk.put(input('a.yaml'), 'type: PAUSE\n...\n');
    expect(mailbox.peek().pendingSignals).toHaveLength(1);
  });

  it.each([
    ['with a final newline after 250 ms', 'type: PAUSE\n', 250],
    ['without one after 2 s', 'type: PAUSE', 2_000],
  ])('takes a file %s, not earlier', (_, text, ms) => {
    const { mailbox, disk, clock, input } = scene();
    disk.put(input('a.yaml'), text);
    expect(mailbox.peek()).toMatchObject({ pendingSignals: [], pending: 1 });
    clock.advance(ms - 1);
    expect(mailbox.peek().pendingSignals).toEqual([]);
    clock.advance(1);
    expect(mailbox.peek().pendingSignals).toHaveLength(1);
  });

  it('never takes a file that grows, however valid it looks, until it rests', () => {
    const { mailbox, disk, clock, input } = scene();
    let text = 'type: STEER\nmessage: do\n';
    for (let round = 0; round < 20; round += 1) {
      disk.put(input('a.yaml'), text);
      expect(mailbox.peek().pendingSignals).toEqual([]);
      clock.advance(200);
      text += `# ${round}\n`;
    }
    clock.advance(250);
    expect(mailbox.peek().pendingSignals).toHaveLength(1);
  });

  it('gives up what cannot be read after 10 s unchanged, not earlier, and never while it changes', () => {
    const { mailbox, disk, clock, input } = scene();
    disk.put(input('a.yaml'), 'type: "STE');
    mailbox.peek();
    clock.advance(9_000);
    disk.put(input('a.yaml'), 'type: "STEER');
    mailbox.peek();
    clock.advance(9_999);
    expect(mailbox.peek().spoiled).toEqual([]);
    clock.advance(1);
    expect(mailbox.peek().spoiled).toEqual([
      { file: 'a.yaml', reason: expect.stringContaining('is not valid YAML: Missing closing "quote') },
    ]);
  });

  it('is not fooled by a person who sets the clock', () => {
    const { mailbox, disk, clock, input } = scene();
    disk.put(input('a.yaml'), 'type: PAUSE\n');
    mailbox.peek();
    clock.setNow(clock.now() + 3_600_000);
    expect(mailbox.peek().pendingSignals).toEqual([]);
    clock.setNow(clock.now() - 7_200_000);
    clock.advance(250);
    expect(mailbox.peek().pendingSignals).toHaveLength(1);
  });
});

describe('peeking (rules 3, 4 and 12)', () => {
  it('reads an unchanged file once', () => {
    const { mailbox, disk, input, clock } = scene();
    disk.put(input('a.yaml'), 'type: PAUSE\n...\n');
    const first = mailbox.peek().pendingSignals[0];
    expect(mailbox.peek().pendingSignals[0]).toBe(first);
    clock.advance(1);
    disk.put(input('a.yaml'), 'type: ABORT\n...\n');
    expect(mailbox.peek().pendingSignals[0]?.signal.type).toBe('ABORT');
  });

  it('lists scratch files as hints and leaves them alone', () => {
    const { mailbox, disk, input } = scene();
    for (const name of ['.a.yaml.swp', 'a.yaml~', '#a.yaml#', 'notes.txt']) disk.put(input(name), 'x');
    const peeked = mailbox.peek();
    expect([...peeked.hints].sort()).toEqual(['#a.yaml#', '.a.yaml.swp', 'a.yaml~', 'notes.txt']);
    expect(peeked).toMatchObject({ pendingSignals: [], spoiled: [], pending: 0, more: false });
  });

  it('reads at most 200 new files a call, the oldest first, and says that there are more', () => {
    const { mailbox, disk, input } = scene();
    for (let second = 0; second < 450; second += 1) {
      const time = `${String(Math.floor(second / 60)).padStart(2, '0')}${String(second % 60).padStart(2, '0')}`;
      disk.put(input(`signal.260208-09${time}Z.yaml`), 'type: INFO\nmessage: m\n...\n');
    }
    const counts = [0, 1, 2, 3].map(() => {
      const { pendingSignals, more } = mailbox.peek();
      expect(pendingSignals[0]?.file).toBe('signal.260208-090000Z.yaml');
      return `${pendingSignals.length} ${more}`;
    });
    expect(counts).toEqual(['200 true', '400 true', '450 false', '450 false']);
  });

  it('stops after 10 ms of reading', () => {
    const { disk, input, clock } = scene();
    for (let count = 0; count < 20; count += 1) disk.put(input(`a${count}.yaml`), 'type: PAUSE\n...\n');
    const slow = watched(disk, (name) => {
      if (name === 'openRead') clock.advance(4);
    });
    const mailbox = mailboxOn(slow, { clock });
    const reads = [1, 2, 3]
      .map(() => mailbox.peek())
      .map(({ pendingSignals, more }) => `${pendingSignals.length} ${more}`);
    expect(reads).toEqual(['3 true', '6 true', '9 true']);
  });

  it('reads a file without a date in its name by its time, so that an older one is never taken after it', () => {
    const { disk, input, clock } = scene();
    disk.put(input('a.yaml'), 'type: INFO\nmessage: young\n...\n');
    disk.put(input('signal.260208-090000Z.yaml'), 'type: INFO\nmessage: old\n...\n');
    const slow = watched(disk, (name) => {
      if (name === 'openRead') clock.advance(60);
    });
    const mailbox = mailboxOn(slow, { clock });
    const [first] = mailbox.peek().pendingSignals;
    expect(first?.signal.message).toBe('old');
  });

  it('hands out nothing that is younger than a file it had no time for, but what stops the session', () => {
    const { disk, input, clock } = scene();
    const slow = watched(disk, (name) => {
      if (name === 'openRead') clock.advance(60);
    });
    const mailbox = mailboxOn(slow, { clock });
    const said = () => mailbox.peek().pendingSignals.map(({ signal }) => signal.message);
    disk.put(input('signal.260208-090003Z.yaml'), 'type: INFO\nmessage: third\n...\n');
    expect(said()).toEqual(['third']);
    disk.put(input('signal.260208-090004Z.yaml'), 'type: PAUSE\nmessage: stop\n...\n');
    expect(said()).toEqual(['stop', 'third']);
    // Two come back: the agent that had them ended before it read them.
    disk.put(input('signal.260208-090001Z.yaml'), 'type: INFO\nmessage: first\n...\n');
    disk.put(input('signal.260208-090002Z.yaml'), 'type: INFO\nmessage: second\n...\n');
    expect(said()).toEqual(['stop', 'first']);
    expect(said()).toEqual(['stop', 'first', 'second', 'third']);
  });

  it('reads at least one file a call, however slow the disk is', () => {
    const { disk, input, clock } = scene();
    for (let count = 0; count < 3; count += 1) disk.put(input(`a${count}.yaml`), 'type: PAUSE\n...\n');
    const mailbox = mailboxOn(
      watched(disk, () => clock.advance(60_000)),
      { clock },
    );
    expect([1, 2, 3].map(() => mailbox.peek().pendingSignals.length)).toEqual([1, 2, 3]);
  });

  it('costs exactly two readdir and nothing else when nothing is there', () => {
    const calls: string[] = [];
    const mailbox = mailboxOn(watched(createSimulatedDisk(), (name) => calls.push(name)));
    mailbox.open();
    calls.length = 0;
    expect(mailbox.peek()).toBe(mailbox.peek());
    expect(calls).toEqual(['readdir', 'readdir', 'readdir', 'readdir']);
  });

  it('lists inputs/ a few times for a flood of signals, not once for each', () => {
    const calls: string[] = [];
    const disk = createSimulatedDisk();
    mailboxOn(disk).open();
    const mailbox = mailboxOn(watched(disk, (name) => calls.push(name)));
    for (let count = 0; count < 2_000; count += 1)
      published(mailbox, { type: 'INFO', message: String(count) });
    expect(calls.filter((name) => name === 'readdir').length).toBeLessThan(20);
  });

  it('says on a full disk what is wrong before a line of a screen ends, without a name nobody knows', () => {
    const { mailbox, disk } = scene();
    disk.setSpace(0);
    expect(mailbox.publish({ type: 'PAUSE', target: 'ALL' })).toEqual({
      code: 'mailbox-disk',
      what: 'the signal was not written: the disk is full',
      where: 'signals/tmp',
      hint: 'free some space; nothing was lost',
    });
  });

  it('refuses a flood of its own at 10,000 pending, no sooner and no later, and orders for the whole session a little later', () => {
    const { mailbox, disk, input, names } = scene();
    for (let count = 0; count < 9_000; count += 1) disk.put(input(`a${count}.yaml`), 'type: PAUSE\n...\n');
    const flood = (signal: Parameters<typeof mailbox.publish>[0]): number => {
      for (let taken = 0; ; taken += 1) if ('code' in mailbox.publish(signal)) return taken;
    };
    expect(flood({ type: 'INFO', target: 'ALL', message: 'm' })).toBe(1_000);
    expect(flood({ type: 'PAUSE', target: 'ALL' })).toBe(100);
    expect(names('inputs')).toHaveLength(10_100);
  });

  it('refuses publishers at 10,000 pending, with a clear error', () => {
    const { mailbox, disk, input, names } = scene();
    for (let count = 0; count < 10_000; count += 1) disk.put(input(`a${count}.yaml`), 'type: PAUSE\n...\n');
    expect(mailbox.publish({ type: 'STEER', target: 'ALL', message: 'm' })).toMatchObject({
      code: 'mailbox-full',
      what: '10000 signals are already waiting, so no more are accepted',
    });
    expect(names('inputs')).toHaveLength(10_000);
  });
});

describe('claiming (rule 6)', () => {
  it('moves the file under a name that tells its id, owner and old name', () => {
    const { mailbox, names } = scene();
    const { id, file } = published(mailbox, { type: 'PAUSE' });
    const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    expect(names('inputs')).toEqual([]);
    expect(names('claimed')).toEqual([`${id.slice(0, 16)}~boot-1.pid_3a_5b4026531836_5d.100.1100~${file}`]);
    expect(claim).toMatchObject({ id, file, signal: { type: 'PAUSE' } });
    expect(mailbox.peek().claimed).toBe(true);
  });

  it('has one winner', () => {
    const { mailbox, other } = scene();
    published(mailbox, { type: 'PAUSE' });
    const rival = other(200);
    const pendingSignals = [mailbox.peek().pendingSignals[0], rival.peek().pendingSignals[0]];
    claimed(rival, pendingSignals[1]);
    expect(pendingSignals[0] && mailbox.claim(pendingSignals[0])).toBe('lost');
  });

  it('puts a file back that changed since it was peeked', () => {
    const { mailbox, disk, input, names } = scene();
    disk.put(input('a.yaml'), 'type: PAUSE\n...\n');
    const [pendingSignal] = mailbox.peek().pendingSignals;
    disk.put(input('a.yaml'), 'type: ABORT\n...\n');
    expect(pendingSignal && mailbox.claim(pendingSignal)).toBe('changed');
    expect(names('inputs')).toEqual(['a.yaml']);
    expect(names('claimed')).toEqual([]);
    expect(mailbox.peek().pendingSignals[0]?.signal.type).toBe('ABORT');
  });

  it.each(['PAUSE', 'INFO'] as const)(
    'claims %s once while it holds it, whatever lies in inputs/',
    (type) => {
      const { mailbox, disk, input, text } = scene();
      const { file } = published(mailbox, { type, message: 'm' });
      const whole = text(`inputs/${file}`);
      const [pendingSignal] = mailbox.peek().pendingSignals;
      if (pendingSignal && type === 'INFO') mailbox.freeze(pendingSignal, []);
      const held = claimed(mailbox, pendingSignal);
      expect(mailbox.claim(held)).toBe('lost');
      disk.put(input(file), whole);
      expect(mailbox.claim(held)).toBe('lost');
    },
  );

  it('can be put back', () => {
    const { mailbox, names } = scene();
    const { file, id } = published(mailbox, { type: 'INFO', message: 'm' });
    mailbox.putBack(claimed(mailbox, mailbox.peek().pendingSignals[0]));
    expect(names('inputs')).toEqual([file]);
    expect(names('claimed')).toEqual([]);
    expect(mailbox.peek().pendingSignals[0]?.id).toBe(id);
  });

  it('never overwrites when it puts back', () => {
    const { mailbox, disk, input, names, text } = scene();
    disk.put(input('a.yaml'), 'type: PAUSE\n...\n');
    const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    disk.put(input('a.yaml'), 'type: ABORT\n...\n');
    mailbox.putBack(claim);
    expect(names('inputs')).toHaveLength(2);
    expect(text('inputs/a.yaml')).toBe('type: ABORT\n...\n');
  });
});

describe('archiving (rule 7)', () => {
  it('writes the text plus what was done, once, whoever calls it again', () => {
    const { mailbox, names, text } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    expect(mailbox.archive(claim, handling('held'))).toBeNull();
    expect(mailbox.archive(claim, handling('held'))).toBeNull();
    expect(names('processed')).toEqual([file]);
    expect(names('claimed')).toEqual([]);
    expect(text(`processed/${file}`)).toContain(
      `handling_metadata:\n  id: ${id}\n  handled_by: Ralph-v2-Executor\n`,
    );
  });

  it('never overwrites an archived signal of the same name', () => {
    const { mailbox, disk, input, names, text } = scene();
    for (const type of ['PAUSE', 'ABORT', 'RESUME']) {
      disk.put(input('a.yaml'), `type: ${type}\n...\n`);
      mailbox.archive(claimed(mailbox, mailbox.peek().pendingSignals[0]), handling(type));
    }
    expect(names('processed')).toHaveLength(3);
    expect(
      names('processed')
        .map((name) => text(`processed/${name}`).slice(6, 11))
        .sort(),
    ).toEqual(['ABORT', 'PAUSE', 'RESUM']);
  });

  it('takes the same text under the same name for a new signal when it was written after the first was handled', () => {
    const { mailbox, disk, input, names } = scene();
    const ids = [1, 2, 3].map(() => {
      disk.put(input('pause.yaml'), 'type: PAUSE\n...\n');
      const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
      expect(mailbox.archive(claim, handling('held'))).toBeNull();
      return claim.id;
    });
    expect(new Set(ids).size).toBe(3);
    expect(names('processed')).toHaveLength(3);
  });

  it('takes it for a new one also when it was written in the tick of the clock in which the first was archived', () => {
    const { mailbox, disk, input, names } = scene();
    const put = (): string => {
      disk.put(input('pause.yaml'), 'type: PAUSE\n...\n');
      return input('pause.yaml');
    };
    disk.setModified(put(), Date.UTC(2026, 1, 15, 3, 15));
    const first = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    expect(mailbox.archive(first, handling('held'))).toBeNull();
    const tick = Date.UTC(2026, 1, 15, 3, 15, 0, 10);
    disk.setModified('/session/signals/processed/pause.yaml', tick);
    disk.setModified(put(), tick);
    const second = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    expect(second.id).not.toBe(first.id);
    expect(mailbox.archive(second, handling('held'))).toBeNull();
    expect(names('processed')).toHaveLength(2);
    // What a crash left of the first is older than that, and is not acted on again.
    disk.setModified(put(), Date.UTC(2026, 1, 15, 3, 15));
    expect(mailbox.claim(mailbox.peek().pendingSignals[0] ?? second)).toBe('lost');
  });

  it('knows what a crash left of a signal that was written and archived in one tick of the clock', () => {
    const { mailbox, disk, input, names } = scene();
    const tick = Date.UTC(2026, 1, 15, 3, 15);
    for (const _ of ['written', 'brought back by a power loss']) {
      disk.put(input('pause.yaml'), 'type: PAUSE\n...\n');
      disk.setModified(input('pause.yaml'), tick);
      const [pendingSignal] = mailbox.peek().pendingSignals;
      const claim = pendingSignal ? mailbox.claim(pendingSignal) : 'lost';
      if (typeof claim !== 'string') expect(mailbox.archive(claim, handling('held'))).toBeNull();
      disk.setModified('/session/signals/processed/pause.yaml', tick);
    }
    expect([names('inputs'), names('processed')]).toEqual([[], ['pause.yaml']]);
  });

  it('archives a file that claims a time which no calendar has', () => {
    const { mailbox, disk, input, names } = scene();
    disk.put(input('pause.yaml'), 'type: PAUSE\n...\n');
    disk.setModified(input('pause.yaml'), 9e15);
    expect(mailbox.archive(claimed(mailbox, mailbox.peek().pendingSignals[0]), handling('held'))).toBeNull();
    expect(names('processed')).toEqual(['pause.yaml']);
  });

  it('keeps the claim when the disk is full, and archives later', () => {
    const { mailbox, disk, names } = scene();
    published(mailbox, { type: 'PAUSE' });
    const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    disk.setSpace(30);
    expect(mailbox.archive(claim, handling('held'))).toMatchObject({
      what: 'the signal was handled but not archived: the disk is full',
    });
    expect(names('claimed')).toHaveLength(1);
    expect(names('processed')).toEqual([]);
    disk.setSpace(null);
    expect(mailbox.archive(claim, handling('held'))).toBeNull();
  });
});

describe('rejecting', () => {
  it('moves the file with the reason beside it, and never overwrites', () => {
    const { mailbox, disk, input, names, text } = scene();
    for (const _ of [1, 2]) {
      disk.put(input('a.yaml'), 'type: DANCE\n');
      mailbox.reject('a.yaml', 'has an unknown type, "DANCE"');
    }
    expect(names('rejected')).toHaveLength(4);
    expect(text('rejected/a.yaml.error.txt')).toBe('a.yaml: has an unknown type, "DANCE"\n');
  });

  it('leaves a file alone that changed since it was given up', () => {
    const { mailbox, disk, input, clock, names } = scene();
    disk.put(input('a.yaml'), 'type: DANCE\n');
    mailbox.peek();
    clock.advance(10_000);
    const [spoiled] = mailbox.peek().spoiled;
    disk.put(input('a.yaml'), 'type: PAUSE\n...\n');
    mailbox.reject('a.yaml', spoiled?.reason ?? '');
    expect(names('inputs')).toEqual(['a.yaml']);
    expect(mailbox.peek().pendingSignals[0]?.signal.type).toBe('PAUSE');
  });

  it('also takes a claim that cannot be acted on', () => {
    const { mailbox, names, text } = scene();
    const { file } = published(mailbox, { type: 'APPROVE', promote: ['ghost.md'] });
    mailbox.rejectClaim(
      claimed(mailbox, mailbox.peek().pendingSignals[0]),
      'names the unknown file ghost.md',
    );
    expect([names('inputs'), names('claimed')]).toEqual([[], []]);
    expect(text(`rejected/${file}.error.txt`)).toBe(`${file}: names the unknown file ghost.md\n`);
  });
});

describe('the proof of a person (rule 13)', () => {
  const ends: readonly (readonly [string, (mailbox: Mailbox, id: string) => unknown])[] = [
    ['archived', (box) => box.archive(claimed(box, box.peek().pendingSignals[0]), handling('done'))],
    ['withdrawn', (box, id) => box.withdraw(id, 'kim@host')],
    ['rejected after its claim', (box) => box.rejectClaim(claimed(box, box.peek().pendingSignals[0]), 'no')],
    ['rejected', (box) => box.reject(box.peek().pendingSignals[0]?.file ?? '', 'no')],
  ];

  it.each(ends)('is spent before a signal is %s', (_, end) => {
    const { disk, names } = scene();
    const seen: (readonly string[])[] = [];
    const box = mailboxOn(disk, {
      spend: (id) => seen.push([id, ...names('processed'), ...names('rejected')]),
    });
    const { id } = published(box, { type: 'CANCEL', task: 'two' });
    end(box, id);
    expect(seen).toEqual([[id]]);
    expect([...names('processed'), ...names('rejected')]).not.toEqual([]);
  });

  it.each(ends)('keeps a signal in the mailbox that cannot be spent: not %s', (_, end) => {
    const { disk, names } = scene();
    const box = mailboxOn(disk, {
      spend: () => {
        throw new DiskError('ENOSPC', 'rename', '/state');
      },
    });
    const { id } = published(box, { type: 'CANCEL', task: 'two' });
    const fault = (): unknown => {
      try {
        return end(box, id);
      } catch (error) {
        return error;
      }
    };
    expect(JSON.stringify(fault())).toContain('the disk is full');
    expect([...names('processed'), ...names('rejected')]).toEqual([]);
    expect([...names('inputs'), ...names('claimed')]).toHaveLength(1);
  });
});
