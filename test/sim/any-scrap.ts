import type { SeededRandom } from '../helpers/seeded-random.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';

/** Something that lies in `inputs/` and is no signal, or one that nobody would write. */
export interface Scrap {
  readonly kind: string;
  readonly path: string;
  /** What becomes of it: taken as a signal, refused with a sentence beside it, or left alone. */
  readonly fate: 'signal' | 'refused' | 'left';
}

interface Recipe {
  readonly kind: string;
  readonly name: (random: SeededRandom) => string;
  readonly content: string | Uint8Array | 'fifo' | 'symlink' | 'directory';
  readonly fate: Scrap['fate'];
}

const named = (random: SeededRandom): string =>
  `signal.260215-03${random.int(50) + 10}00-${random.hex(4)}.yaml`;

const recipes: readonly Recipe[] = [
  { kind: 'empty file', name: named, content: '', fate: 'refused' },
  { kind: 'prose', name: named, content: 'please stop what you are doing\n', fate: 'refused' },
  { kind: 'half written', name: named, content: 'type: STEER\nmessage: "use b', fate: 'refused' },
  { kind: 'unknown type', name: named, content: 'type: EXPLODE\n...\n', fate: 'refused' },
  { kind: 'no message', name: named, content: 'type: STEER\ntarget: ALL\n...\n', fate: 'refused' },
  { kind: 'bytes', name: named, content: new Uint8Array([0xff, 0xfe, 0x00, 0x0a]), fate: 'refused' },
  { kind: 'aliases', name: named, content: 'type: &a INFO\nmessage: *a\n...\n', fate: 'refused' },
  { kind: 'two documents', name: named, content: 'type: PAUSE\n---\ntype: ABORT\n', fate: 'refused' },
  {
    kind: 'forged handling',
    name: named,
    content: 'type: RESUME\nhandling_metadata: {id: x}\n...\n',
    fate: 'signal',
  },
  {
    kind: 'foreign spelling',
    name: named,
    content: 'TYPE: x\ntype: info\ntarget: ralph-v2-executor\nmessage: 12\n',
    fate: 'signal',
  },
  { kind: 'ABORT for a task', name: named, content: 'type: ABORT\ntask: t0\n...\n', fate: 'refused' },
  { kind: 'fifo', name: named, content: 'fifo', fate: 'refused' },
  { kind: 'symlink', name: named, content: 'symlink', fate: 'refused' },
  { kind: 'directory', name: named, content: 'directory', fate: 'refused' },
  {
    kind: 'control characters in the name',
    name: (random) => `a\u001b[31m${random.hex(4)}.yaml`,
    content: 'type: INFO\nmessage: x\n',
    fate: 'refused',
  },
  {
    kind: 'scratch file',
    name: (random) => `.signal-${random.hex(4)}.yaml.swp`,
    content: 'type: ABORT\n',
    fate: 'left',
  },
];

/** Puts one of them into the mailbox. */
export const dropScrap = (random: SeededRandom, disk: SimulatedDisk, inputs: string): Scrap => {
  const { kind, name, content, fate } = random.pick(recipes);
  const path = `${inputs}/${name(random)}`;
  if (content === 'fifo') disk.putSpecial(path, 'fifo');
  else if (content === 'symlink') disk.putSymlink(path, '/work/secret.txt');
  else if (content === 'directory') disk.mkdir(path);
  else disk.put(path, content);
  return { kind, path, fate };
};
