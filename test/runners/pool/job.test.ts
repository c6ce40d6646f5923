import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createJobGate,
  type Job,
  jobId,
  readClaim,
  signClaim,
  signJob,
} from '../../../src/runners/pool/job.io.ts';
import {
  createLinkKey,
  createSecret,
  digestOf,
  identityOf,
  isPublicKey,
  sealsOf,
} from '../../../src/runners/pool/keys.io.ts';
import { newIdentity } from './in-process.ts';

const host = newIdentity();
const now = 1_800_000_000_000;
const jobWith = (more: Partial<Job> = {}): Job => ({
  link: 'a'.repeat(16),
  pool: 'default',
  work: {
    session: '260215-101500',
    invocation: 'Executor-1',
    attempt: 2,
    repository: 'b'.repeat(32),
    base: 'c'.repeat(40),
    brief: digestOf('brief'),
  },
  channel: 'd'.repeat(16),
  epoch: 5,
  key: createLinkKey().publicText,
  issued: now,
  expires: now + 1_000,
  ...more,
});
const gate = (more: Partial<Parameters<typeof createJobGate>[0]> = {}) =>
  createJobGate({
    accept: [host.publicKey],
    pool: 'default',
    runner: 'e'.repeat(16),
    now: () => now,
    ...more,
  });

test('a job that an accepted host signed is taken once', () => {
  const runner = gate();
  const signed = signJob(host, jobWith());
  expect(runner.take(signed)).toEqual({ job: jobWith({ key: expect.any(String) }) });
  expect(runner.take(signed)).toEqual({ refused: 'replayed' });
});

test('a job of a stranger, for another pool or runner, out of time or of an earlier process is refused with the reason', () => {
  const taken = (job: Partial<Job>, by = host) => gate().take(signJob(by, jobWith(job)));
  expect(taken({}, newIdentity())).toEqual({ refused: 'forged' });
  expect(taken({ pool: 'other' })).toEqual({ refused: 'elsewhere' });
  expect(taken({ to: 'f'.repeat(16) })).toEqual({ refused: 'elsewhere' });
  expect(taken({ to: 'e'.repeat(16) })).toHaveProperty('job');
  expect(taken({ expires: now - 301_000 })).toEqual({ refused: 'expired' });
  expect(taken({ issued: now + 301_000 })).toEqual({ refused: 'expired' });
  const runner = gate();
  runner.take(signJob(host, jobWith({ epoch: 6 })));
  expect(runner.take(signJob(host, jobWith({ link: '1'.repeat(16) })))).toEqual({ refused: 'overtaken' });
  // Another host's session may have the same name.
  const other = newIdentity();
  const both = gate({ accept: [host.publicKey, other.publicKey] });
  both.take(signJob(host, jobWith({ epoch: 6 })));
  expect(both.take(signJob(other, jobWith({ link: '1'.repeat(16) })))).toHaveProperty('job');
});

test('a signed job in which any one character differs is refused', () => {
  const signed = signJob(host, jobWith());
  // The last character of the signature has bits that mean nothing.
  const ends = [...'AQgw048'].map((last) => `${signed.slice(0, -3)}${last}"}`);
  for (const altered of ends) expect(altered === signed || 'refused' in gate().take(altered)).toBe(true);
  fc.assert(
    fc.property(fc.nat(signed.length - 1), fc.constantFrom('0', 'x', '"', '}', '-'), (at, other) => {
      const altered = `${signed.slice(0, at)}${other}${signed.slice(at + 1)}`;
      return altered === signed || Object.hasOwn(gate().take(altered), 'refused');
    }),
  );
});

test('text of any kind is no job', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => 'refused' in gate().take(text)));
});

test('a claim counts for its own job and link, and from a runner of the list only', () => {
  const runner = newIdentity();
  const signed = signJob(host, jobWith());
  const claim = {
    link: 'a'.repeat(16),
    job: digestOf(signed),
    runner: 'e'.repeat(16),
    process: '0'.repeat(16),
    number: 7,
    key: createLinkKey().publicText,
  };
  const of = { link: claim.link, job: signed };
  const text = signClaim(runner, claim);
  expect(readClaim([runner.publicKey], text, of)).toEqual(claim);
  expect(readClaim([host.publicKey], text, of)).toBeNull();
  expect(readClaim([runner.publicKey], text, { ...of, link: 'b'.repeat(16) })).toBeNull();
  expect(readClaim([runner.publicKey], text, { ...of, job: signJob(host, jobWith()) })).toBeNull();
  // A job is no claim, even when both sides have one key.
  expect(readClaim([host.publicKey], signed, of)).toBeNull();
});

test('rows are read by the other side alone, as they were, under their own number', () => {
  const [hostKey, runnerKey, stranger] = [createLinkKey(), createLinkKey(), createLinkKey()];
  const said = ['job', 'claim'] as const;
  const ours = sealsOf(hostKey, runnerKey.publicText, said);
  const theirs = sealsOf(runnerKey, hostKey.publicText, said);
  const others = sealsOf(stranger, hostKey.publicText, said);
  const elsewhere = sealsOf(runnerKey, hostKey.publicText, ['job', 'another claim']);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(2 ** 40), fc.nat(250), (body, n, at) => {
      const sealed = ours?.host.close(n, body) ?? Buffer.alloc(0);
      expect(theirs?.host.open(n, sealed)).toEqual(Buffer.from(body));
      expect(theirs?.host.open(n + 1, sealed)).toBeNull();
      expect(theirs?.runner.open(n, sealed)).toBeNull();
      expect(others?.host.open(n, sealed)).toBeNull();
      expect(elsewhere?.host.open(n, sealed)).toBeNull();
      const altered = Buffer.from(sealed);
      const place = at % sealed.length;
      altered[place] = (altered[place] ?? 0) ^ 1;
      expect(theirs?.host.open(n, altered)).toBeNull();
      expect(theirs?.host.open(n, sealed.subarray(0, at % sealed.length))).toBeNull();
    }),
    { numRuns: 30 },
  );
  expect(sealsOf(hostKey, 'A'.repeat(43), said)).toBeNull();
});

test('an identity is its secret text, and text of another form is none', () => {
  const secret = createSecret();
  expect(identityOf(`${secret}\n`)?.publicKey).toBe(identityOf(secret)?.publicKey);
  expect(isPublicKey(identityOf(secret)?.publicKey ?? '')).toBe(true);
  expect(isPublicKey(secret)).toBe(false);
  expect(identityOf('pool-secret-')).toBeNull();
});

test('sending the same work again is the same row; another attempt or link is another one', () => {
  const { work } = jobWith();
  if (work === null) throw new Error('no work');
  const id = jobId(work, 'a');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/u);
  expect(jobId({ ...work }, 'a')).toBe(id);
  expect(new Set([id, jobId(work, 'b'), jobId({ ...work, attempt: 3 }, 'a')]).size).toBe(3);
});
