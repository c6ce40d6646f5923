import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** What must be read by nobody. */
export const secret = 'top secret';
/** Somebody listens on the socket among the signals. */
export const server = createServer();
const bomb = Array.from(
  { length: 24 },
  (_, at) => `k${at}: &k${at} [${at === 0 ? 1 : `*k${at - 1}, *k${at - 1}`}]`,
);
export const info = (message: string, more = ''): string =>
  `type: INFO\ntarget: Executor\nmessage: ${message}\n${more}...\n`;

/** Files of the workspace whose session's `inputs/` the path lies in. */
const secretFile = (path: string): string => join(path, '../../../../../secret');
const ownFile = (path: string): string => join(path, '../../../../../mine');

/** What lies in `inputs/` under this name, and the sentence that says why it is put aside. */
export interface Refused {
  readonly what: string;
  readonly name: string | Buffer;
  readonly make: string | Uint8Array | ((path: string) => void);
  /** As people see the name. */
  readonly shown: string;
  readonly says: string;
}

const refused = (
  what: string,
  says: string,
  make: Refused['make'],
  name: Refused['name'] = `signal.${what.replaceAll(/\W+/g, '-')}.yaml`,
  shown = String(name),
): Refused => ({ what, name, make, shown, says });

/** What is no signal: each is put aside. */
export const refusals: readonly Refused[] = [
  refused('symlink to a secret', 'is a symbolic link, not a file', (path) =>
    symlinkSync(secretFile(path), path),
  ),
  refused('dangling symlink', 'is a symbolic link, not a file', (path) =>
    symlinkSync('/nowhere/at/all', path),
  ),
  refused('looping symlink', 'is a symbolic link, not a file', (path) =>
    symlinkSync('signal.looping-symlink.yaml', path),
  ),
  refused('directory', 'is a directory, not a file', (path) => mkdirSync(path)),
  refused('FIFO', 'is a named pipe, not a file', (path) => void execFileSync('mkfifo', [path])),
  refused('socket', 'is a socket, not a file', (path) => void server.listen(path)),
  refused('0 bytes', 'is empty', ''),
  refused('70 KB', 'is 70000 bytes; at most 16384 are allowed', '#'.repeat(70_000)),
  refused('2 GB sparse', 'is 2147483648 bytes; at most 16384 are allowed', (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 31);
  }),
  refused('half-written YAML', 'is not valid YAML: Missing closing "quote', 'type: STEER\nmessage: "do'),
  refused('invalid UTF-8 content', 'is not valid UTF-8', Uint8Array.of(0x74, 0x79, 0xff)),
  refused(
    'invalid UTF-8 file name',
    'its name is not valid UTF-8',
    'type: ABORT\n...\n',
    Buffer.from('signal.\xff.yaml', 'latin1'),
    'signal.%FF.yaml',
  ),
  refused(
    'newline in a name',
    'its name contains control characters',
    'type: ABORT\n...\n',
    'signal.a\nb.yaml',
    'signal.a%0Ab.yaml',
  ),
  refused(
    'ESC in a name',
    'its name contains control characters',
    'type: ABORT\n...\n',
    'signal.\u001b[2J.yaml',
    'signal.%1B[2J.yaml',
  ),
  refused(
    '255 bytes in a name',
    'its name is 255 bytes long; at most 140 are allowed',
    'type: ABORT\n...\n',
    `${'x'.repeat(250)}.yaml`,
    'x'.repeat(140),
  ),
  refused(
    'alias bomb',
    'uses an anchor or an alias, which is not allowed here',
    `type: INFO\nmessage: m\n${bomb.join('\n')}\n...\n`,
  ),
  refused('64 KiB of anchors', 'bytes; at most 16384 are allowed', 'a: &a 1\n'.repeat(8_192)),
  refused(
    '16 KiB of anchors',
    'uses an anchor or an alias, which is not allowed here',
    '- &a\n'.repeat(3_200),
  ),
  refused('20,000 nested [', 'bytes; at most 16384 are allowed', '['.repeat(20_000)),
  refused('16,000 nested [', 'is nested more than 32 levels deep', '['.repeat(16_000)),
  refused(
    'duplicate type',
    'is not valid YAML: Map keys must be unique',
    'type: INFO\ntype: ABORT\nmessage: m\n...\n',
  ),
  refused(
    'two documents',
    'contains more than one YAML document',
    'type: INFO\nmessage: m\n---\ntype: ABORT\n...\n',
  ),
  refused('message a map', '`message` must be text', 'type: INFO\nmessage: {a: b}\n...\n'),
  refused('message of 1 MB', 'bytes; at most 16384 are allowed', info('x'.repeat(1_000_000))),
  refused('task id ../../x', 'is not a task id', info('m', 'task: ../../x\n')),
];

/** What is a signal, however odd: the message reaches the task, and `processed/` holds it. */
export const heard: readonly {
  readonly what: string;
  readonly name: string;
  readonly make: Refused['make'];
  readonly message: string;
}[] = [
  {
    what: 'hard link',
    name: 'signal.hard-link.yaml',
    make: (path) => linkSync(ownFile(path), path),
    message: 'through a hard link',
  },
  { what: 'year 1970', name: 'signal.19700101-000000Z.yaml', make: info('of 1970'), message: 'of 1970' },
  { what: 'year 2099', name: 'signal.20991231-235959Z.yaml', make: info('of 2099'), message: 'of 2099' },
  {
    what: 'date of six digits',
    name: 'signal.260208-143000.yaml',
    make: info('six digits'),
    message: 'six digits',
  },
  {
    what: 'date of eight digits',
    name: 'signal.20260208-143001.yaml',
    make: info('eight digits'),
    message: 'eight digits',
  },
  {
    what: 'forged handling_metadata',
    name: 'signal.forged.yaml',
    make: info(
      'not handled',
      'handling_metadata: {id: x, handled_by: root, action_taken: lies, acks: [z]}\n',
    ),
    message: 'not handled',
  },
  {
    what: 'merge key of YAML 1.1',
    name: 'signal.merge.yaml',
    make: `%YAML 1.1\n---\n${info('nothing merged', '<<: 1\n')}`,
    message: 'nothing merged',
  },
  {
    what: '__proto__ as a key',
    name: 'signal.proto.yaml',
    make: info('no prototype', '__proto__: {polluted: 1}\n'),
    message: 'no prototype',
  },
  {
    what: 'RLO in a name',
    name: 'signal.\u202elmay.x.yaml',
    make: info('turned round'),
    message: 'turned round',
  },
];
