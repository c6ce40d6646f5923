import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endingOf,
  formatArchived,
  formatSignal,
  parseArchived,
  parseSignal,
} from '../../src/signals/envelope.ts';
import { agentSchema, type Signal, signalTypeSchema } from '../../src/signals/signal.ts';
import { handling } from '../helpers/mailbox.ts';
import { draws } from '../helpers/test-form.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => parseSignal('signal.yaml', bytesOf(text));
const problemOf = (content: string | Uint8Array): string | undefined =>
  parseSignal('signal.yaml', typeof content === 'string' ? bytesOf(content) : content).problems[0]?.what;

describe('parseSignal', () => {
  it.each<[string, string, Partial<Signal>]>([
    [
      'the example of the protocol page',
      'type: STEER\ntarget: ALL\nmessage: "Use \'bar\'."\niteration: 1\n...\n',
      { type: 'STEER', target: 'ALL', message: "Use 'bar'.", iteration: 1 },
    ],
    ['a type in any case', 'type: pause\n', { type: 'PAUSE' }],
    ['STOP as ABORT', 'type: STOP\n', { type: 'ABORT' }],
    ['an absent target as ALL', 'type: PAUSE\n', { target: 'ALL' }],
    ['an empty target as ALL', 'type: PAUSE\ntarget:\n', { target: 'ALL' }],
    ['Ralph-X', 'type: PAUSE\ntarget: Ralph-Executor\n', { target: 'Executor' }],
    ['Ralph-v2-X', 'type: PAUSE\ntarget: Ralph-v2-Librarian\n', { target: 'Librarian' }],
    ['X in any case', 'type: PAUSE\ntarget: rEVIEWER\n', { target: 'Reviewer' }],
    ['all in any case', 'type: PAUSE\ntarget: all\n', { target: 'ALL' }],
    ['Ralph-v2 alone as the orchestrator', 'type: PAUSE\ntarget: Ralph-v2\n', { target: 'Orchestrator' }],
    [
      'SKIP_PROMOTION as SKIP',
      'type: INFO\ntarget: Ralph-Librarian\nmessage: "SKIP_PROMOTION: too early"\n',
      { type: 'SKIP', message: 'too early' },
    ],
    [
      'SKIP_PROMOTION to another agent as INFO',
      'type: INFO\ntarget: Executor\nmessage: "SKIP_PROMOTION: x"\n',
      { type: 'INFO' },
    ],
    ['a quoted iteration', 'type: PAUSE\niteration: "2"\n', { iteration: 2 }],
    ['a number as message, as it was written', 'type: INFO\nmessage: 1.0\n', { message: '1.0' }],
    ['a date as message', 'type: INFO\nmessage: 2026-01-01\n', { message: '2026-01-01' }],
    ['one file to promote', 'type: APPROVE\npromote: a.md\n', { promote: ['a.md'] }],
    ['JSON', '{"type": "INFO", "message": "m"}', { type: 'INFO', message: 'm' }],
    ['a byte order mark and CRLF', '\ufefftype: INFO\r\nmessage: m\r\n', { type: 'INFO', message: 'm' }],
    [
      'settings nested as in a configuration file',
      'type: SET\nset:\n  concurrency:\n    max_parallel_executors: 2\n',
      { set: { 'concurrency.max_parallel_executors': 2 } },
    ],
    [
      'brackets in a message, which are no nesting',
      `type: INFO\nmessage: "${'['.repeat(200)}"\n`,
      { message: '['.repeat(200) },
    ],
    [
      'settings as people write them',
      'type: SET\nset: {timeouts.stall: 90s, limits.max_cost: none, concurrency.max_parallel_executors: "2"}\n',
      { set: { 'timeouts.stall': 90_000, 'limits.max_cost': null, 'concurrency.max_parallel_executors': 2 } },
    ],
    [
      'a worker of a team',
      'type: INFO\nmessage: m\ntarget: Executor\nworker: Builder-2\n',
      { target: 'Executor', worker: 'builder-2' },
    ],
    [
      'a worker as the target',
      'type: INFO\nmessage: m\ntarget: analyst-2\n',
      { target: 'Executor', worker: 'analyst-2' },
    ],
    [
      'a role of a team as the target',
      'type: INFO\nmessage: m\ntarget: Ralph-Analyst\n',
      { target: 'Executor', worker: 'analyst' },
    ],
    ['resume in words', 'type: INFO\nmessage: m\nresume: yes\n', { resume: true }],
  ])('reads %s', (_, text, expected) => {
    expect(read(text)).toMatchObject({ value: expected, problems: [] });
  });

  it('ignores keys it does not know, a forged handling and a key named __proto__', () => {
    const { value } = read(
      'type: PAUSE\nmood: bad\nhandling_metadata: {id: forged}\n__proto__: {type: ABORT}\n',
    );
    expect(value).toEqual({ type: 'PAUSE', target: 'ALL' });
    expect(Object.prototype).not.toHaveProperty('type');
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'is empty'],
    ['only a comment', '# later\n', 'contains no signal, only blank lines or comments'],
    ['70 KB', new Uint8Array(70_000).fill(0x61), 'is larger than 16384 bytes'],
    ['a message of 1 MB', `type: INFO\nmessage: ${'x'.repeat(1_000_000)}\n`, 'is larger than 16384 bytes'],
    ['bytes that are not UTF-8', Uint8Array.of(0x74, 0xff, 0xfe), 'is not valid UTF-8'],
    ['a NUL byte', 'type: INFO\nmessage: a\0b\n', 'contains a NUL byte'],
    ['a NUL written as an escape', 'type: INFO\nmessage: "a\\0b"\n', '`message` contains a NUL character'],
    ['nested lists in one line', '['.repeat(16_000), 'is nested more than 32 levels deep'],
    ['nested block lists in one line', '- '.repeat(8_000), 'is nested more than 32 levels deep'],
    ['nested explicit keys', '? '.repeat(8_000), 'is nested more than 32 levels deep'],
    [
      'maps nested by indentation',
      Array.from({ length: 170 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      'is nested more than 32 levels deep',
    ],
    [
      '16 KiB of anchors',
      `a: ${'&x '.repeat(5_000)}`,
      'uses an anchor or an alias, which is not allowed here',
    ],
    ['an alias bomb', 'a: &a [x, x]\nb: [*a, *a]\n', 'uses an anchor or an alias, which is not allowed here'],
    [
      'thousands of keys',
      `{${Array.from({ length: 3_000 }, (_, n) => n.toString(36)).join(',')}}`,
      'contains more than 512 entries',
    ],
    [
      'a key twice',
      'type: PAUSE\ntype: ABORT\n',
      'is not valid YAML: Map keys must be unique at line 2, column 1',
    ],
    [
      'a worker of no role',
      'type: INFO\nmessage: m\nworker: painter-1\n',
      '"painter-1" is not a worker; use a worker such as builder-2 or a role such as builder',
    ],
    ['two documents', 'type: PAUSE\n---\ntype: ABORT\n', 'contains more than one YAML document'],
    [
      'a document after the end mark',
      'type: PAUSE\n...\ntype: ABORT\n',
      'contains more than one YAML document',
    ],
    [
      'JavaScript front matter',
      '---js\n{type: "PAUSE"}\n',
      'is not valid YAML: Implicit keys need to be on a single line at line 1, column 1',
    ],
    ['a list', '- type: INFO\n', 'is not a mapping with `type: …`'],
    ['prose', 'please stop\n', 'is not a mapping with `type: …`'],
    ['a message that is a map', 'type: INFO\nmessage: {a: 1}\n', '`message` must be text'],
    ['a binary message', 'type: INFO\nmessage: !!binary aGVsbG8=\n', '`message` must be text'],
    [
      'an unknown target',
      'type: PAUSE\ntarget: Ralph-Cook\n',
      'has an unknown target, "Ralph-Cook"; use ALL or one of Ralph-Orchestrator, Ralph-Planner, Ralph-Questioner, Ralph-Executor, Ralph-Reviewer, Ralph-Librarian',
    ],
    [
      'an iteration of zero',
      'type: PAUSE\niteration: 0\n',
      '`iteration` must be a whole number of 1 or more, not "0"',
    ],
    ['a path as a task', 'type: RETRY\ntask: ../../x\n', '"../../x" is not a task id'],
    [
      'an unknown verdict',
      'type: STEER\nmessage: m\napply: explode\n',
      '`apply` must be one of restart, adjust, escalate, not "explode"',
    ],
    [
      'a promotion list of maps',
      'type: APPROVE\npromote: [{a: 1}]\n',
      '`promote` must be a list of files of lessons, each a string',
    ],
    ['settings that are no map', 'type: SET\nset: 3\n', '`set` must be a mapping of settings'],
    ['an escape sequence in a type', 'type: "\\e]52;c;x\\a"\n', 'has an unknown type, ""; use one of'],
  ])('refuses %s with one sentence', (_, content, sentence) => {
    expect(problemOf(content)?.startsWith(sentence), problemOf(content)).toBe(true);
  });

  it.each(['abort', 'Abort', 'stop'])('takes the type %s for ABORT', (type) => {
    const bytes = new TextEncoder().encode(`type: ${type}\n...\n`);
    expect(parseSignal('a.yaml', bytes)).toMatchObject({ value: { type: 'ABORT' }, problems: [] });
  });

  it('says which types there are when it has none it knows', () => {
    expect(problemOf('target: ALL\n')).toMatch(/^has no type; add `type:` with one of INFO, STEER, PAUSE/);
    expect(problemOf('type: DANCE\n')).toMatch(/^has an unknown type, "DANCE"; use one of INFO/);
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const { value, problems } = parseSignal('x.yaml', bytes);
        expect(value === null).toBe(problems.length > 0);
      }),
      draws(500),
    );
  });

  it('never throws on text made of what means something in YAML', () => {
    const piece = fc.constantFrom(
      'type: INFO',
      'message: ',
      '\n',
      ' ',
      '- ',
      '? ',
      ': ',
      '[',
      ']',
      '{',
      '}',
      '&a ',
      '*a',
      '!!x ',
      '|',
      '>-',
      '"',
      "'",
      '#',
      '---',
      '...',
      '%YAML 1.1',
      '<<: ',
      '\t',
      '@',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { value, problems } = read(pieces.join(''));
        expect(value === null).toBe(problems.length > 0);
      }),
      draws(1_000),
    );
  });
});

describe('formatSignal', () => {
  it('writes the canonical form, ending with the mark that says it is whole', () => {
    const text = formatSignal({
      type: 'STEER',
      target: 'Executor',
      message: 'a: b # c',
      iteration: 2,
      task: 'task-3',
      worker: 'builder-2',
      from: 'kim@host',
    });
    expect(text).toBe(
      'type: STEER\ntarget: Ralph-Executor\nmessage: "a: b # c"\niteration: 2\nfrom: kim@host\ntask: task-3\nworker: builder-2\n...\n',
    );
    expect(endingOf(bytesOf(text))).toBe('mark');
  });

  it('is read back as it was, whatever the message holds', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .filter((each) => !each.includes('\0') && each.isWellFormed());
    const signals = fc.record({
      type: fc.constantFrom(
        ...signalTypeSchema.options.filter((type) => type === 'INFO' || type === 'STEER'),
      ),
      target: fc.constantFrom('ALL' as const, ...agentSchema.options),
      message: fc.oneof(text, fc.constant('line\n...\n---\n  end\n')).map((each) => `m${each}`),
      iteration: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(signals, (signal) => {
        const bytes = bytesOf(formatSignal(signal));
        expect(parseSignal('x.yaml', bytes)).toEqual({ value: signal, problems: [] });
        expect(endingOf(bytes)).toBe('mark');
      }),
      draws(500),
    );
  });
});

describe('endingOf', () => {
  it.each<[string, 'mark' | 'line' | 'open']>([
    ['type: PAUSE\n...\n', 'mark'],
    ['type: PAUSE\r\n...\r\n', 'mark'],
    ['type: PAUSE\n', 'line'],
    ['type: PAUSE\nmessage: and so on...\n', 'line'],
    ['type: PAUSE\n  ...\n', 'line'],
    ['type: PAUSE\n...', 'open'],
    ['type: PAU', 'open'],
    ['', 'open'],
  ])('%j ends as %s', (text, ending) => {
    expect(endingOf(bytesOf(text))).toBe(ending);
  });
});

describe('formatArchived', () => {
  it('keeps comments, order and unknown keys, and replaces a forged handling', () => {
    const source =
      '# from Kim\ntype: STEER # now\nmood: good\nhandling_metadata: {id: forged, handled_by: nobody}\nmessage: "it\'s"\n';
    expect(formatArchived('abc', bytesOf(source), handling('restarted', ['Executor~Executor-1']))).toBe(
      `# from Kim
type: STEER # now
mood: good
message: "it's"
handling_metadata:
  id: abc
  handled_by: Ralph-v2-Executor
  handled_at: 2026-02-15T10:15:00+07:00
  action_taken: restarted
  outcome: handled
  checkpoint: Executor.3.5
  invocation: Executor-1
  acks:
    - Executor~Executor-1
`,
    );
  });

  it('is read back with its handling', () => {
    const text = formatArchived('abc', bytesOf('{type: PAUSE}'), handling('held: at once'));
    expect(parseArchived('x.yaml', bytesOf(text)).value).toEqual({
      signal: { type: 'PAUSE', target: 'ALL' },
      handling: { id: 'abc', ...handling('held: at once') },
    });
    const unread = { ...handling('the session ended'), outcome: 'undelivered' } as const;
    const unreadText = formatArchived('abc', bytesOf('type: INFO\nmessage: m\n'), unread);
    expect(unreadText).toContain('action_taken: "undelivered: the session ended"\n  outcome: undelivered\n');
    expect(parseArchived('x.yaml', bytesOf(unreadText)).value.handling).toEqual({ id: 'abc', ...unread });
  });

  it.each([
    ['a merge key', '<<: 1'],
    ['a merge key of maps', '<<: [{a: 1}, 2]'],
    ['binary data', 'x: !!binary "%%"'],
    ['a set', 'x: !!set [1]'],
    ['an ordered map', 'x: !!omap {a: 1}'],
  ])('of a signal of YAML 1.1 with %s is written and read: the directive changes nothing', (_, line) => {
    const text = `%YAML 1.1\n---\ntype: INFO\nmessage: yes\n${line}\n`;
    expect(read(text)).toEqual({ value: { type: 'INFO', target: 'ALL', message: 'yes' }, problems: [] });
    const archived = formatArchived('abc', bytesOf(text), handling('told'));
    expect(parseArchived('a.yaml', bytesOf(archived)).value.handling).toMatchObject({
      action_taken: 'told',
    });
  });

  it('also reads what the prompt agents archive', () => {
    const text =
      'type: STEER\nmessage: m\nhandling_metadata:\n  handled_by: Ralph-v2-Executor\n  handled_at: 2026-02-08T14:30:05Z\n  action_taken: "Updated context"\n';
    expect(parseArchived('260208-143000.yaml', bytesOf(text)).value.handling).toMatchObject({
      id: null,
      handled_by: 'Ralph-v2-Executor',
      action_taken: 'Updated context',
      outcome: 'handled',
      acks: [],
    });
  });
});
