import { describe, expect, it } from 'vitest';
import { claimed, handling, published, scene } from '../helpers/mailbox.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';

const dead = new Set([200]);

type Scene = ReturnType<typeof scene>;

describe('recovery (rule 10)', () => {
  it('takes over the claims of dead owners, and of no living one', () => {
    const { mailbox, other, names } = scene();
    const first = published(mailbox, { type: 'PAUSE' });
    const second = published(mailbox, { type: 'RESUME' });
    const [one, two] = mailbox.peek().pendingSignals;
    claimed(other(200), one);
    claimed(other(201), two);
    const engine = other(300, dead);
    const { claims, remote } = engine.recover({ takeOver: false });
    expect(claims.map((claim) => claim.id)).toEqual([first.id]);
    expect(remote).toEqual([]);
    expect(names('claimed').map((name) => name.split('~')[1])).toEqual(
      expect.arrayContaining([expect.stringContaining('.300.'), expect.stringContaining('.201.')]),
    );
    expect(engine.recover({ takeOver: false }).claims).toEqual([]);
    for (const claim of claims) expect(engine.archive(claim, handling('held'))).toBeNull();
    expect(names('processed')).toEqual([first.file]);
    expect(second.file).not.toBe(first.file);
  });

  it('has one winner for one dead claim', () => {
    const { mailbox, other } = scene();
    published(mailbox, { type: 'PAUSE' });
    claimed(other(200), mailbox.peek().pendingSignals[0]);
    const both = [other(300, dead), other(301, dead)].map(
      (engine) => engine.recover({ takeOver: false }).claims.length,
    );
    expect(both).toEqual([1, 0]);
  });

  it('leaves claims of another boot alone unless told to take them over', () => {
    const { mailbox, disk, names } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const name = `${id.slice(0, 16)}~boot-9.pid_3a_5b1_5d.200.1200~${file}`;
    disk.rename(`/session/signals/inputs/${file}`, `/session/signals/claimed/${name}`);
    expect(mailbox.recover({ takeOver: false })).toEqual({ claims: [], remote: [name] });
    expect(names('claimed')).toEqual([name]);
    expect(mailbox.recover({ takeOver: true }).claims.map((claim) => claim.id)).toEqual([id]);
  });

  it('takes the claims of engines that held the session before, on whatever machine they were', () => {
    const { mailbox, disk } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const owner = 'boot-9.pid_3a_5b1_5d.200.1200';
    const name = `${id.slice(0, 16)}~${owner}~${file}`;
    disk.rename(`/session/signals/inputs/${file}`, `/session/signals/claimed/${name}`);
    const engines = new Set([owner]);
    expect(mailbox.recover({ takeOver: false, engines }).claims.map((claim) => claim.id)).toEqual([id]);
  });

  it('removes a claim of another boot whose signal is archived already', () => {
    const { mailbox, disk, names } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    const bytes = disk.text(claim.path);
    expect(mailbox.archive(claim, handling('held'))).toBeNull();
    disk.put(`/session/signals/claimed/${id.slice(0, 16)}~boot-9.pid_3a_5b1_5d.200.1200~${file}`, bytes);
    expect(mailbox.recover({ takeOver: false })).toEqual({ claims: [], remote: [] });
    expect([names('claimed'), names('processed')]).toEqual([[], [file]]);
  });

  it('leaves in inputs/ what a dead program had half put back there, wherever that program was', () => {
    for (const boot of ['boot-1', 'boot-9']) {
      const { mailbox, disk, other, input, names } = scene();
      const { file, id } = published(mailbox, { type: 'ABORT', target: 'ALL', iteration: 2 });
      const claim = `/session/signals/claimed/${id.slice(0, 16)}~${boot}.pid_3a_5b4026531836_5d.200.1200~${file}`;
      disk.rename(input(file), claim);
      disk.flushDirectory('/session/signals/claimed');
      disk.flushDirectory('/session/signals/inputs');
      disk.link(claim, input(file));
      expect(other(300, dead).recover({ takeOver: false })).toEqual({ claims: [], remote: [] });
      expect([boot, names('claimed'), names('inputs')]).toEqual([boot, [], [file]]);
      disk.loseUnflushed(({ kind }) => kind === 'link');
      expect([boot, ...names('inputs')]).toEqual([boot, file]);
    }
  });

  it('makes an archive that a dead program had only linked durable before it removes its claim, wherever that program was', () => {
    for (const boot of ['boot-1', 'boot-9']) {
      const { mailbox, disk, other, names } = scene();
      const { file, id } = published(mailbox, { type: 'PAUSE' });
      const pendingSignal = mailbox.peek().pendingSignals[0];
      const writer = other(200);
      const claim = claimed(writer, pendingSignal);
      disk.flushDirectory('/session/signals/claimed');
      // A temporary file, its content, the flush of it and the link; the flush of the directory does not happen.
      disk.crashAfter(5);
      expect(() => writer.archive(claim, handling('held'))).toThrow(SimulatedCrash);
      disk.restart();
      expect(names('processed')).toEqual([file]);
      const name = `${id.slice(0, 16)}~${boot}.pid_3a_5b4026531836_5d.200.1200~${file}`;
      disk.rename(claim.path, `/session/signals/claimed/${name}`);
      expect(other(300, dead).recover({ takeOver: false })).toEqual({ claims: [], remote: [] });
      expect(names('claimed')).toEqual([]);
      disk.loseUnflushed(({ kind }) => kind === 'link');
      expect([boot, ...names('processed')]).toEqual([boot, file]);
    }
  });

  it('never takes what this mailbox is working on', () => {
    const { mailbox } = scene();
    published(mailbox, { type: 'PAUSE' });
    claimed(mailbox, mailbox.peek().pendingSignals[0]);
    expect(mailbox.recover({ takeOver: true }).claims).toEqual([]);
  });

  it('takes what an engine closed in this same process left', () => {
    const { mailbox, other } = scene();
    const { id } = published(mailbox, { type: 'PAUSE' });
    claimed(mailbox, mailbox.peek().pendingSignals[0]);
    expect(
      other(100)
        .recover({ takeOver: false })
        .claims.map((claim) => claim.id),
    ).toEqual([id]);
  });

  it('reads a claim again whose writer went on after it was claimed', () => {
    const { mailbox, disk, other, names, input } = scene();
    disk.put(input('a.yaml'), 'type: PAUSE\n...\n');
    claimed(other(200), mailbox.peek().pendingSignals[0]);
    const [name] = names('claimed');
    disk.put(`/session/signals/claimed/${name}`, 'type: ABORT\n...\n');
    const engine = other(300, dead);
    expect(engine.recover({ takeOver: false }).claims).toEqual([]);
    expect(engine.peek().pendingSignals.map((pendingSignal) => pendingSignal.signal.type)).toEqual(['ABORT']);
  });

  it('leaves what is no claim in claimed/', () => {
    const { mailbox, disk, names } = scene();
    disk.put('/session/signals/claimed/notes.txt', 'x');
    expect(mailbox.recover({ takeOver: true })).toEqual({ claims: [], remote: [] });
    expect(names('claimed')).toEqual(['notes.txt']);
  });

  it('sweeps what dead writers left in tmp/, and nothing else', () => {
    const { disk, other, names } = scene();
    const tmp = (pid: number, boot = 'boot-1') =>
      `${boot}.pid_3a_5b4026531836_5d.${pid}.${1000 + pid}~0123456789abcdef`;
    for (const name of [tmp(200), tmp(201), tmp(200, 'boot-9'), 'notes'])
      disk.put(`/session/signals/tmp/${name}`, 'x');
    other(300, dead).sweepTemporary();
    expect(names('tmp')).toEqual([tmp(201), tmp(200, 'boot-9'), 'notes'].sort());
  });
});

describe('withdrawing (rule 14)', () => {
  it.each([
    ['its name', (made: { file: string; id: string }) => made.file],
    ['its id', (made: { file: string; id: string }) => made.id],
    ['the beginning of its id', (made: { file: string; id: string }) => made.id.slice(0, 8)],
  ])('archives a pending signal as withdrawn, found by %s', (_, find) => {
    const { mailbox, names, text } = scene();
    const made = published(mailbox, { type: 'PAUSE' });
    expect(mailbox.withdraw(find(made), 'kim@host')).toEqual({ kind: 'withdrawn', ...made });
    expect(text(`processed/${made.file}`)).toMatch(/handled_by: kim@host\n.*\n {2}action_taken: withdrawn/);
    expect([names('inputs'), names('claimed')]).toEqual([[], []]);
  });

  it('tells who was faster', () => {
    const { mailbox, other } = scene();
    const made = published(mailbox, { type: 'PAUSE' });
    const engine = other(200);
    const claim = claimed(engine, engine.peek().pendingSignals[0]);
    expect(mailbox.withdraw(made.id, 'kim')).toEqual({
      kind: 'too-late',
      by: 'process 200',
      stage: 'claimed',
    });
    engine.archive(claim, handling('held'));
    expect(mailbox.withdraw(made.file, 'kim')).toEqual({
      kind: 'too-late',
      by: 'Ralph-v2-Executor',
      stage: 'processed',
    });
    expect(mailbox.withdraw(made.id.slice(0, 12), 'kim')).toMatchObject({ kind: 'too-late' });
  });

  it('is too late for a broadcast that was frozen', () => {
    const { mailbox } = scene();
    const made = published(mailbox, { type: 'INFO', message: 'm' });
    for (const pendingSignal of mailbox.peek().pendingSignals)
      mailbox.freeze(pendingSignal, [{ agent: 'Executor', invocation: 'Executor-1' }]);
    expect(mailbox.withdraw(made.id, 'kim')).toEqual({
      kind: 'too-late',
      by: 'Executor~Executor-1',
      stage: 'claimed',
    });
  });

  it('that fails on a full disk says so, and leaves the signal pending as before', () => {
    const { mailbox, other, disk, names } = scene();
    const made = published(mailbox, { type: 'RESUME' });
    const [pendingSignal] = mailbox.peek().pendingSignals;
    const person = other(200);
    disk.setSpace(30);
    expect(() => person.withdraw(made.id, 'kim')).toThrow('the signal was not withdrawn: the disk is full');
    expect([names('inputs'), names('claimed'), names('processed')]).toEqual([[made.file], [], []]);
    disk.setSpace(null);
    expect(mailbox.peek().pendingSignals).toEqual([pendingSignal]);
    expect(person.withdraw(made.id, 'kim')).toEqual({ kind: 'withdrawn', ...made });
  });

  it('takes back nothing when the beginning of an id is that of two', () => {
    const { mailbox, disk, names } = scene();
    // Their ids begin with e61b89, both.
    const files = ['signal.261122-101529Z-000929.yaml', 'signal.261122-114047Z-006047.yaml'];
    for (const [at, file] of files.entries())
      disk.put(
        `/session/signals/inputs/${file}`,
        `type: INFO\ntarget: Librarian\nmessage: m${[929, 6047][at]}\n...\n`,
      );
    expect(mailbox.withdraw('e61b89', 'kim')).toEqual({ kind: 'ambiguous', files });
    expect(names('inputs')).toEqual(files);
    expect(mailbox.withdraw(String(files[1]), 'kim')).toMatchObject({ kind: 'withdrawn', file: files[1] });
    expect(mailbox.withdraw('e61b89', 'kim')).toMatchObject({ kind: 'withdrawn', file: files[0] });
  });

  it('knows nothing of other names', () => {
    const { mailbox } = scene();
    published(mailbox, { type: 'PAUSE' });
    for (const name of ['ghost.yaml', 'abcdef', '', '../../etc/passwd', 'a'])
      expect(mailbox.withdraw(name, 'kim')).toEqual({ kind: 'unknown' });
  });
});

describe('listing', () => {
  it('shows every stage, oldest first, and changes nothing', () => {
    const { mailbox, disk, input } = scene();
    const done = published(mailbox, { type: 'PAUSE' });
    mailbox.archive(claimed(mailbox, mailbox.peek().pendingSignals[0]), handling('held'));
    const taken = published(mailbox, { type: 'RESUME' });
    claimed(mailbox, mailbox.peek().pendingSignals[0]);
    const waiting = published(mailbox, { type: 'INFO', message: 'm' });
    disk.put(input('bad.yaml'), 'type: DANCE\n');
    disk.put(input('notes.txt'), 'x');
    disk.put('/session/signals/rejected/worse.yaml', 'x: [');
    disk.put('/session/signals/rejected/worse.yaml.error.txt', 'worse.yaml is bad\n');
    const before = disk.tree();
    const entries = mailbox.list();
    expect(disk.tree()).toEqual(before);
    expect(entries.map(({ stage, id, file }) => `${stage} ${file} ${id.slice(0, 4)}`)).toEqual([
      expect.stringMatching(/^pending bad.yaml/),
      expect.stringMatching(/^rejected worse.yaml/),
      `processed ${done.file} ${done.id.slice(0, 4)}`,
      `claimed ${taken.file} ${taken.id.slice(0, 4)}`,
      `pending ${waiting.file} ${waiting.id.slice(0, 4)}`,
    ]);
    expect(entries.map((entry) => entry.error)).toEqual([
      expect.stringMatching(/^has an unknown type,/),
      'worse.yaml is bad',
      null,
      null,
      null,
    ]);
    expect(entries[2]?.handling).toEqual({
      id: done.id,
      written_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      ...handling('held'),
    });
  });

  it('reads what the prompt agents archived', () => {
    const { mailbox, disk } = scene();
    disk.put(
      '/session/signals/processed/260208-143000.yaml',
      'type: STOP\ntarget: Ralph-v2-Executor\nhandling_metadata:\n  handled_by: Ralph-v2-Executor\n  handled_at: 2026-02-08T14:30:05Z\n  action_taken: "Stopped"\n',
    );
    expect(mailbox.list()).toMatchObject([
      {
        stage: 'processed',
        signal: { type: 'ABORT', target: 'Executor' },
        handling: { handled_by: 'Ralph-v2-Executor', action_taken: 'Stopped' },
        error: null,
      },
    ]);
  });

  it('is empty where there is no mailbox', () => {
    const { other } = scene();
    expect(other(200).list()).toEqual([]);
  });
});

describe('a crash in the middle of a refusal', () => {
  it('does not take the refusal back: a claim that a power loss brings back is acted on by nobody', () => {
    const { mailbox, disk, names, other } = scene();
    const { file } = published(mailbox, { type: 'PAUSE' });
    const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    const bytes = disk.text(claim.path);
    mailbox.rejectClaim(claim, 'cannot be used');
    disk.put(claim.path, bytes);
    expect(other(100).recover({ takeOver: false }).claims).toEqual([]);
    disk.put(`/session/signals/inputs/${file}`, bytes);
    expect(
      other(100)
        .peek()
        .pendingSignals.map((pendingSignal) => other(100).claim(pendingSignal)),
    ).toEqual(['lost']);
    expect([names('inputs'), names('claimed'), names('processed')]).toEqual([[], [], []]);
  });

  it.each([
    ['', []],
    [', also when another file was refused under its name before', ['a.yaml']],
  ])('leaves no refused file without the reason beside it%s', (_, before) => {
    for (let at = 1; at < 16; at += 1) {
      const { mailbox, disk, names } = scene();
      for (const name of before) {
        disk.put(`/session/signals/inputs/${name}`, 'type: DANCE\n');
        mailbox.reject(name, 'has another unknown type');
      }
      disk.put('/session/signals/inputs/a.yaml', 'type: EXPLODE\n');
      disk.crashAfter(at);
      try {
        mailbox.reject('a.yaml', 'has an unknown type');
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error;
      }
      disk.restart();
      const refused = names('rejected').filter((name) => !name.endsWith('.error.txt'));
      const mine = refused.filter((name) =>
        disk.text(`/session/signals/rejected/${name}`).includes('EXPLODE'),
      );
      expect(mine.length + names('inputs').length, `operation ${at}`).toBeGreaterThan(0);
      for (const name of mine) expect(names('rejected'), `operation ${at}`).toContain(`${name}.error.txt`);
      for (const name of mine)
        expect(disk.text(`/session/signals/rejected/${name}.error.txt`)).toContain('has an unknown type');
    }
  });
});

describe('a power loss after a crash in the middle of a refusal', () => {
  it('leaves the reason beside a refused pipe, though the dead program had only linked it', () => {
    const { mailbox, disk, names } = scene();
    disk.putSpecial('/session/signals/inputs/a.yaml', 'fifo');
    disk.crashAfter(5);
    expect(() => mailbox.reject('a.yaml', 'is a named pipe')).toThrow(SimulatedCrash);
    disk.restart();
    expect([names('inputs'), names('rejected')]).toEqual([['a.yaml'], ['a.yaml.error.txt']]);
    mailbox.reject('a.yaml', 'is a named pipe');
    disk.loseUnflushed(({ kind }) => kind === 'link');
    expect(names('rejected')).toEqual(['a.yaml', 'a.yaml.error.txt']);
  });
});

describe('taking back a signal (rule 14)', () => {
  it.each([
    ['withdrawn', ({ mailbox }: Scene, id: string) => mailbox.withdraw(id, 'kim')],
    ['refused', ({ mailbox }: Scene, _: string, file: string) => mailbox.reject(file, 'cannot be used')],
    [
      'handled',
      ({ mailbox }: Scene) =>
        mailbox.archive(claimed(mailbox, mailbox.peek().pendingSignals[0]), handling('paused')),
    ],
  ])('%s is done for good: what a power loss brings back is removed at the next start', (_, end) => {
    const place = scene();
    const { mailbox, disk, names } = place;
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const path = `/session/signals/inputs/${file}`;
    const [bytes, written] = [disk.text(path), disk.lstat(path)?.mtimeMs ?? 0];
    end(place, id, file);
    disk.put(path, bytes);
    disk.setModified(path, written);
    const other = published(mailbox, { type: 'RESUME' });
    mailbox.sweepTemporary();
    expect(names('inputs')).toEqual([other.file]);
  });

  it('leaves what somebody wrote again under the same name after its end: that is another signal', () => {
    const { mailbox, disk, names } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const path = `/session/signals/inputs/${file}`;
    const bytes = disk.text(path);
    expect(mailbox.withdraw(id, 'kim')).toMatchObject({ kind: 'withdrawn' });
    disk.put(path, bytes);
    mailbox.sweepTemporary();
    expect(names('inputs')).toEqual([file]);
  });

  it('comes too late for one that was refused, also when a power loss brought its file back', () => {
    const { mailbox, disk, names } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const path = `/session/signals/inputs/${file}`;
    const bytes = disk.text(path);
    mailbox.rejectClaim(claimed(mailbox, mailbox.peek().pendingSignals[0]), 'cannot be used');
    disk.put(path, bytes);
    expect(mailbox.withdraw(id, 'kim')).toMatchObject({ kind: 'too-late' });
    expect(names('processed')).toEqual([]);
  });

  it('comes too late for one that was handled, also when a power loss brought its file back', () => {
    const { mailbox, disk } = scene();
    const { file, id } = published(mailbox, { type: 'PAUSE' });
    const path = `/session/signals/inputs/${file}`;
    const bytes = disk.text(path);
    expect(
      mailbox.archive(claimed(mailbox, mailbox.peek().pendingSignals[0]), handling('paused')),
    ).toBeNull();
    disk.put(path, bytes);
    expect(mailbox.withdraw(id, 'kim')).toMatchObject({ kind: 'too-late', stage: 'processed' });
    expect(mailbox.list().find(({ stage }) => stage === 'processed')?.handling?.action_taken).toBe('paused');
  });
});
