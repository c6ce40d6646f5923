import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { DiskError } from '../../src/base/disk.ts';
import { formatFault } from '../../src/base/fault.ts';
import type { Mailbox } from '../../src/signals/mailbox.ts';
import { claimed, handling, mailboxOn, published, scene } from '../helpers/mailbox.ts';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';

interface Place {
  readonly mailbox: Mailbox;
  readonly clock: ManualClock;
  readonly directory: string;
  readonly workspace: string;
  /** A path in `inputs/`. */
  readonly input: (name: string) => string;
}

/** An open mailbox on the real disk, with a clock that only tests move. */
const place = (): Place => {
  const workspace = tempDir();
  const directory = join(workspace, 'signals');
  const clock = createManualClock();
  const mailbox = mailboxOn(createDisk(), { directory, clock });
  expect(mailbox.open()).toBeNull();
  return { mailbox, clock, directory, workspace, input: (name) => join(directory, 'inputs', name) };
};

interface Row {
  readonly what: string;
  readonly name?: string;
  readonly make: (path: string, place: Place) => void | Promise<void>;
  readonly sentence: string;
}

const write = (content: string | Uint8Array) => (path: string) => writeFileSync(path, content);
const secret = 'top secret';

const rows: readonly Row[] = [
  {
    what: 'a symbolic link to a secret',
    make: (path, { workspace }) => {
      writeFileSync(join(workspace, 'secret'), `type: INFO\nmessage: ${secret}\n...\n`);
      symlinkSync(join(workspace, 'secret'), path);
    },
    sentence: 'a.yaml: is a symbolic link, not a file',
  },
  {
    what: 'a dangling link',
    make: (path) => symlinkSync('/nowhere/at/all', path),
    sentence: 'a.yaml: is a symbolic link, not a file',
  },
  {
    what: 'a looping link',
    make: (path) => symlinkSync('a.yaml', path),
    sentence: 'a.yaml: is a symbolic link, not a file',
  },
  {
    what: 'a directory',
    make: (path) => {
      mkdirSync(path);
      writeFileSync(join(path, 'inside'), 'x');
    },
    sentence: 'a.yaml: is a directory, not a file',
  },
  {
    what: 'a named pipe without a writer',
    make: (path) => {
      execFileSync('mkfifo', [path]);
    },
    sentence: 'a.yaml: is a named pipe, not a file',
  },
  { what: 'a socket', make: (path) => listen(path), sentence: 'a.yaml: is a socket, not a file' },
  { what: 'a file without a byte', make: write(''), sentence: 'a.yaml: is empty' },
  {
    what: '70 KB',
    make: write('#'.repeat(70_000)),
    sentence: 'a.yaml: is 70000 bytes; at most 16384 are allowed',
  },
  {
    what: 'a sparse file of 2 GB',
    make: (path) => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 31);
    },
    sentence: 'a.yaml: is 2147483648 bytes; at most 16384 are allowed',
  },
  {
    what: 'a file that is not UTF-8',
    make: write(Uint8Array.of(0x74, 0x79, 0xff)),
    sentence: 'a.yaml: is not valid UTF-8',
  },
  {
    what: 'a file cut off in the middle',
    make: write('type: STEER\nmessage: "do'),
    sentence: 'a.yaml: is not valid YAML: Missing closing "quote at line 2, column 13',
  },
  {
    what: '20,000 nested brackets',
    make: write('['.repeat(16_000)),
    sentence: 'a.yaml: is nested more than 32 levels deep',
  },
  {
    what: 'a name with a newline',
    name: 'a\nb.yaml',
    make: write('type: PAUSE\n...\n'),
    sentence: 'a%0Ab.yaml: its name contains control characters',
  },
  {
    what: 'a name with an escape sequence',
    name: 'a\u001b[2Jb.yaml',
    make: write('type: PAUSE\n...\n'),
    sentence: 'a%1B[2Jb.yaml: its name contains control characters',
  },
  {
    what: 'a name of 255 bytes',
    name: `${'x'.repeat(250)}.yaml`,
    make: write('type: PAUSE\n...\n'),
    sentence: `${'x'.repeat(140)}: its name is 255 bytes long; at most 140 are allowed`,
  },
];

const listen = async (path: string): Promise<void> => {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
};

/** Looks, lets ten seconds pass, looks again and rejects what is spoiled, as an engine does. */
const rejectSpoiled = ({ mailbox, clock }: Place): void => {
  expect(mailbox.peek().pendingSignals).toEqual([]);
  clock.advance(10_000);
  const { pendingSignals, spoiled } = mailbox.peek();
  expect(pendingSignals).toEqual([]);
  for (const { file, reason } of spoiled) mailbox.reject(file, reason);
};

describe('a mailbox that is given', () => {
  it.each(rows)(
    '$what rejects it with one sentence, and takes the next signal',
    async ({ name = 'a.yaml', make, sentence }) => {
      const here = place();
      await make(here.input(name), here);
      rejectSpoiled(here);
      expect(readdirSync(join(here.directory, 'inputs'))).toEqual([]);
      const rejected = readdirSync(join(here.directory, 'rejected'));
      expect(rejected).toHaveLength(2);
      const error = rejected.find((each) => each.endsWith('.error.txt')) ?? '';
      expect(readFileSync(join(here.directory, 'rejected', error), 'utf8')).toBe(`${sentence}\n`);
      expect(lstatSync(join(here.directory, 'rejected', error.slice(0, -'.error.txt'.length)))).toBeDefined();
      expect(JSON.stringify(here.mailbox.list())).not.toContain(secret);
      expect(here.mailbox.list()).toMatchObject([{ stage: 'rejected', error: sentence }]);
      published(here.mailbox, { type: 'PAUSE' });
      expect(here.mailbox.peek().pendingSignals).toHaveLength(1);
    },
  );

  it('a name that is not UTF-8 rejects it under an escaped name', () => {
    const here = place();
    const bytes = Buffer.concat([Buffer.from(here.input('a')), Buffer.of(0xff), Buffer.from('b.yaml')]);
    writeFileSync(bytes, 'type: PAUSE\n...\n');
    rejectSpoiled(here);
    expect(readdirSync(join(here.directory, 'rejected'))).toEqual(['a%FFb.yaml', 'a%FFb.yaml.error.txt']);
    expect(readFileSync(join(here.directory, 'rejected/a%FFb.yaml.error.txt'), 'utf8')).toBe(
      'a%FFb.yaml: its name is not valid UTF-8\n',
    );
  });

  it('a hard link takes it as a signal and never changes what else the link belongs to', () => {
    const { mailbox, directory, workspace, input } = place();
    const text = 'type: PAUSE\n...\n';
    writeFileSync(join(workspace, 'mine'), text);
    linkSync(join(workspace, 'mine'), input('a.yaml'));
    expect(mailbox.archive(claimed(mailbox, mailbox.peek().pendingSignals[0]), handling('held'))).toBeNull();
    expect(readFileSync(join(workspace, 'mine'), 'utf8')).toBe(text);
    expect(readdirSync(join(directory, 'processed'))).toEqual(['a.yaml']);
  });

  it('a file that is written slowly waits for the end mark', () => {
    const { mailbox, clock, input } = place();
    const handle = openSync(input('a.yaml'), 'w');
    for (const piece of ['type: STEER\n', 'message: use', ' bar', '\n', 'target: Executor\n']) {
      writeSync(handle, piece);
      expect(mailbox.peek().pendingSignals).toEqual([]);
      clock.advance(240);
      expect(mailbox.peek().pendingSignals).toEqual([]);
    }
    writeSync(handle, '...\n');
    closeSync(handle);
    expect(mailbox.peek().pendingSignals.map(({ signal }) => signal)).toEqual([
      { type: 'STEER', target: 'Executor', message: 'use bar' },
    ]);
  });

  it('a file that grows for ever leaves it alone and takes the others', () => {
    const { mailbox, clock, input } = place();
    writeFileSync(input('a.yaml'), 'type: INFO\nmessage: m\n');
    for (let round = 0; round < 30; round += 1) {
      appendFileSync(input('a.yaml'), `# ${'x'.repeat(1_000)}\n`);
      clock.advance(200);
      expect(mailbox.peek()).toMatchObject({ pendingSignals: [], spoiled: [], pending: 1 });
    }
    published(mailbox, { type: 'PAUSE' });
    expect(mailbox.peek().pendingSignals.map(({ signal }) => signal.type)).toEqual(['PAUSE']);
  });

  it("an editor's save takes the file that was renamed into place, and what is saved over it", () => {
    const { mailbox, input } = place();
    const save = (text: string): void => {
      writeFileSync(input('.a.yaml.tmp'), text);
      expect(mailbox.peek().hints).toEqual(['.a.yaml.tmp']);
      renameSync(input('.a.yaml.tmp'), input('a.yaml'));
    };
    save('type: STEER\nmessage: one\n...\n');
    const [first] = mailbox.peek().pendingSignals;
    save('type: STEER\nmessage: two\n...\n');
    expect(first && mailbox.claim(first)).toBe('changed');
    expect(mailbox.peek().pendingSignals.map(({ signal }) => signal.message)).toEqual(['two']);
  });

  it('1,000 signals of one second takes each once, in the order of their milliseconds', () => {
    const { mailbox, input, directory } = place();
    const numbers = Array.from({ length: 1_000 }, (_, ms) => String(ms).padStart(3, '0'));
    for (const ms of [...numbers].reverse())
      writeFileSync(input(`signal.260208-143000-${ms}.yaml`), `type: INFO\nmessage: "${ms}"\n...\n`);
    let peeked = mailbox.peek();
    for (let round = 0; peeked.more && round < 1_000; round += 1) peeked = mailbox.peek();
    expect(peeked.pendingSignals.map(({ signal }) => signal.message)).toEqual(numbers);
    for (const pendingSignal of peeked.pendingSignals.slice(0, 20))
      mailbox.archive(claimed(mailbox, pendingSignal), handling('told'));
    expect(readdirSync(join(directory, 'processed'))).toHaveLength(20);
    expect(mailbox.peek().pendingSignals).toHaveLength(980);
  });

  it('signals of 1970 and 2099 takes them in that order', () => {
    const { mailbox, input } = place();
    for (const name of [
      'signal.20991231-235959Z.yaml',
      'signal.260208-143000.yaml',
      'signal.19700101-000000Z.yaml',
    ])
      writeFileSync(input(name), 'type: INFO\nmessage: m\n...\n');
    expect(mailbox.peek().pendingSignals.map(({ file }) => file)).toEqual([
      'signal.19700101-000000Z.yaml',
      'signal.260208-143000.yaml',
      'signal.20991231-235959Z.yaml',
    ]);
  });

  it('10,000 signals at once reads them piece by piece, and refuses one more, but not who stops the flood', () => {
    const { mailbox, input } = place();
    for (let count = 0; count < 10_000; count += 1)
      writeFileSync(input(`a${count}.yaml`), 'type: INFO\nmessage: m\n...\n');
    const first = mailbox.peek();
    expect(first).toMatchObject({ pending: 10_000, more: true });
    expect(first.pendingSignals.length).toBeLessThanOrEqual(200);
    expect(mailbox.publish({ type: 'INFO', target: 'ALL', message: 'm' })).toMatchObject({
      code: 'mailbox-full',
    });
    let peeked = mailbox.peek();
    while (peeked.more) peeked = mailbox.peek();
    const { file } = published(mailbox, { type: 'ABORT', target: 'ALL' });
    expect(mailbox.peek().pendingSignals[0]).toMatchObject({ file, signal: { type: 'ABORT' } });
    for (let count = 0; count < 100; count += 1) writeFileSync(input(`b${count}.yaml`), 'type: PAUSE\n...\n');
    expect(mailbox.publish({ type: 'ABORT', target: 'ALL' })).toMatchObject({ code: 'mailbox-full' });
  });
});

describe('a mailbox whose directories are tampered with', () => {
  it('makes inputs/ and claimed/ again when somebody deleted them', () => {
    const { mailbox, directory } = place();
    for (const name of ['inputs', 'claimed']) {
      rmSync(join(directory, name), { recursive: true });
      expect(mailbox.peek().problem).toBeNull();
      published(mailbox, { type: 'PAUSE' });
      expect(mailbox.peek().pendingSignals.length).toBeGreaterThan(0);
    }
  });

  it('reads at once what lies in a mailbox that has no claimed/ yet, as the prompt agents make it', () => {
    const directory = join(tempDir(), 'signals');
    mkdirSync(join(directory, 'inputs'), { recursive: true });
    writeFileSync(join(directory, 'inputs/signal.260208-143000.yaml'), 'type: PAUSE\n...\n');
    expect(mailboxOn(createDisk(), { directory }).peek().pendingSignals).toHaveLength(1);
  });

  it('goes on without tmp/', () => {
    const { mailbox, directory } = place();
    rmSync(join(directory, 'tmp'), { recursive: true });
    published(mailbox, { type: 'PAUSE' });
  });

  it('says so when inputs/ became a link to somewhere else, and neither reads nor writes there', () => {
    const { mailbox, directory, workspace } = place();
    const elsewhere = join(workspace, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'a.yaml'), 'type: ABORT\n...\n');
    rmSync(join(directory, 'inputs'), { recursive: true });
    symlinkSync(elsewhere, join(directory, 'inputs'));
    const { pendingSignals, problem } = mailbox.peek();
    expect(pendingSignals).toEqual([]);
    const sentence = `${join(directory, 'inputs')}: there is a symbolic link in place of this directory; remove the link`;
    expect(problem && formatFault(problem)).toBe(sentence);
    const refused = mailbox.publish({ type: 'PAUSE', target: 'ALL' });
    expect('code' in refused && formatFault(refused)).toBe(sentence);
    expect(readdirSync(elsewhere)).toEqual(['a.yaml']);
  });

  it('says so when the whole mailbox is gone, and does not bring a deleted session back', () => {
    const { mailbox, directory, workspace } = place();
    rmSync(directory, { recursive: true });
    expect(mailbox.peek()).toMatchObject({
      pendingSignals: [],
      problem: { what: 'the directory no longer exists' },
    });
    expect(mailbox.publish({ type: 'PAUSE', target: 'ALL' })).toMatchObject({
      what: 'the directory no longer exists',
    });
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('says so when a file stands in the place of inputs/', () => {
    const { mailbox, directory } = place();
    rmSync(join(directory, 'inputs'), { recursive: true });
    writeFileSync(join(directory, 'inputs'), '');
    expect(mailbox.peek()).toMatchObject({
      problem: { what: 'this is not a directory', where: join(directory, 'inputs') },
    });
  });

  it('keeps the claim when processed/ is read-only, and archives when it is not', () => {
    const { mailbox, disk, names } = scene();
    published(mailbox, { type: 'PAUSE' });
    const claim = claimed(mailbox, mailbox.peek().pendingSignals[0]);
    disk.chmod('/session/signals/processed', 0o500);
    expect(mailbox.archive(claim, handling('held'))).toMatchObject({
      what: 'the signal was handled but not archived: this account is not allowed to write there',
    });
    expect([names('claimed').length, names('tmp').length]).toEqual([1, 0]);
    disk.chmod('/session/signals/processed', 0o700);
    expect(mailbox.archive(claim, handling('held'))).toBeNull();
    expect(names('claimed')).toEqual([]);
  });

  it('throws one sentence, not a system error, when claimed/ is read-only', () => {
    const { mailbox, disk, names } = scene();
    published(mailbox, { type: 'PAUSE' });
    const [pendingSignal] = mailbox.peek().pendingSignals;
    disk.chmod('/session/signals/claimed', 0o500);
    expect(() => pendingSignal && mailbox.claim(pendingSignal)).toThrow(
      /: the signal was not claimed: this account is not allowed to write there; take ownership of the directory/,
    );
    expect(names('inputs')).toHaveLength(1);
  });
});

describe('opening a mailbox', () => {
  const opened = (prepare: (directory: string) => void): string => {
    const directory = join(tempDir(), 'signals');
    prepare(directory);
    const fault = mailboxOn(createDisk(), { directory }).open();
    return fault ? formatFault(fault).replaceAll(directory, '<signals>') : 'open';
  };

  it.each<[string, (directory: string) => void, string]>([
    ['makes what is missing, for us alone', () => {}, 'open'],
    ['takes directories others may read', (directory) => mkdirSync(directory, { mode: 0o755 }), 'open'],
    [
      'refuses a mailbox that is a link',
      (directory) => {
        mkdirSync(`${directory}-real`);
        symlinkSync(`${directory}-real`, directory);
      },
      '<signals>: there is a symbolic link in place of this directory; remove the link',
    ],
    [
      'refuses a claimed/ that is a link',
      (directory) => {
        mkdirSync(directory);
        symlinkSync('/tmp', join(directory, 'claimed'));
      },
      '<signals>/claimed: there is a symbolic link in place of this directory; remove the link',
    ],
    [
      'refuses an inputs/ the group may write to',
      (directory) => {
        mkdirSync(join(directory, 'inputs'), { recursive: true });
        chmodSync(join(directory, 'inputs'), 0o770);
      },
      '<signals>/inputs: others can write to this directory; run chmod go-w <signals>/inputs',
    ],
    [
      'refuses a mailbox the world may write to',
      (directory) => {
        mkdirSync(directory);
        chmodSync(directory, 0o757);
      },
      '<signals>: others can write to this directory; run chmod go-w <signals>',
    ],
    [
      'refuses a file',
      (directory) => writeFileSync(directory, ''),
      '<signals>: this is not a directory; move the file elsewhere',
    ],
  ])('%s', (_, prepare, expected) => {
    expect(opened(prepare)).toBe(expected);
  });

  it('makes its directories 0700 and leaves nothing in them', () => {
    const { directory } = place();
    for (const name of ['', 'tmp', 'inputs', 'claimed', 'acks', 'processed', 'rejected'])
      expect(lstatSync(join(directory, name)).mode & 0o777, name).toBe(0o700);
    expect(readdirSync(join(directory, 'tmp'))).toEqual([]);
  });

  it('refuses a directory of another user', () => {
    const disk = createSimulatedDisk();
    expect(mailboxOn(disk).open()).toBeNull();
    disk.setOwner('/session/signals/processed', 4_242);
    expect(mailboxOn(disk).open()).toMatchObject({
      what: 'this directory belongs to another user',
      where: '/session/signals/processed',
    });
  });

  it('refuses a file system without hard links', () => {
    const disk = createSimulatedDisk();
    const poor = {
      ...disk,
      link: (_: string, to: string) => {
        throw new DiskError('EPERM', 'link', to);
      },
    };
    expect(mailboxOn(poor).open()).toMatchObject({
      what: 'this file system does not support hard links, which the mailbox needs',
      where: '/session/signals',
    });
    expect(disk.readdir('/session/signals/tmp')).toEqual([]);
  });

  it('says that the disk is full', () => {
    const disk = createSimulatedDisk();
    const full = {
      ...disk,
      openExclusive: (path: string) => {
        throw new DiskError('ENOSPC', 'open', path);
      },
    };
    expect(mailboxOn(full).open()).toMatchObject({ what: 'the mailbox cannot be opened: the disk is full' });
  });
});
