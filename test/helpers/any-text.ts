import fc from 'fast-check';

/** Pieces that mean something to one of our readers: YAML, markdown, front matter, names, and what a terminal acts on. */
const pieces: readonly string[] = [
  ...['%YAML 1.1\n', '%TAG ! x:\n', '---\n', '---js\n', '...\n', '--- |\n', '\ufeff', '#', ' #'],
  ...[
    ': ',
    ':',
    '- ',
    '? ',
    ', ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '|\n',
    '>-\n',
    '&a ',
    '*a',
    '<<: ',
    '<<: 1\n',
  ],
  ...[
    '!!binary ',
    '!!set ',
    '!!omap ',
    '!!timestamp ',
    '!!int ',
    '!!float ',
    '!x ',
    '__proto__: ',
    'constructor: ',
  ],
  ...[
    'type: ',
    'message: ',
    'target: ',
    'set: ',
    'promote: ',
    'handling_metadata: ',
    'id: ',
    'run: ',
    'tasks:\n',
  ],
  ...['goal: x\n', 'title: ', 'blockedBy: ', 'status: ', 'orchestrator:\n', 'iteration: ', 'recipients: '],
  ...[
    'INFO',
    'ABORT',
    'task-1',
    '../../x',
    '2026-02-15T10:15:00+07:00',
    '0x1F',
    '1e999',
    '-0',
    '.nan',
    '~',
    'yes',
  ],
  ...[
    '## Implementation Progress (Iteration 1)\n',
    '## Legend\n',
    '## Dependencies\n',
    '## Cycle 1\n',
    '### Q-1\n',
  ],
  ...[
    '# ',
    '## ',
    '### ',
    '- [x] ',
    '* [P] ',
    '- [/] a-1 (',
    ')',
    '(Attempt 9, ',
    '| ',
    '|\n',
    '|---|\n',
    '```\n',
    '~~~\n',
  ],
  ...[
    '**Status**: ',
    'Qualified',
    '- **ISS-001**: ',
    'depends_on: [',
    'signal.260208-143000Z-123',
    '.yaml',
    '`',
    '*',
    '_',
  ],
  ...[
    '\n',
    '\r\n',
    '\r',
    '\t',
    ' ',
    '    ',
    '\\',
    '\u0000',
    '\u001b]52;c;eA==\u0007',
    '\u009b2J',
    '\u202e',
    '\u2028',
    '\ud800',
    '\udc80',
  ],
  ...['é', '世界', '👩‍💻', 'a', 'Z', '0', '.', '-', '/', '%', '$&', "$'"],
];

/** What a reader has to have seen before it looks at the rest at all. */
const beginnings: readonly string[] = [
  '',
  ...[
    'type: INFO\nmessage: m\n',
    '%YAML 1.1\n---\ntype: INFO\nmessage: m\n',
    '%YAML 1.1\n---\n',
    '%YAML 9.9\n---\n',
  ],
  ...['---\nid: task-1\n', '---\n%YAML 1.1\n', 'goal: x\ntasks:\n- title: t\n', '{"type":"INFO",'],
  ...['# Progress\n## Implementation Progress (Iteration 1)\n', '# Task: a\n## Title\nT\n## Dependencies\n'],
  ...['# Task Report: a [Attempt 1]\n## PART 2: REVIEW REPORT\n', '| File | Category |\n|---|---|\n'],
];

/** Whatever may stand in a file: words of our formats in any order, deep indentation, and plain noise. */
const words = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...pieces) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
      { weight: 1, arbitrary: fc.nat(9).map((depth) => `\n${'  '.repeat(depth)}`) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

export const anyText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...beginnings), words)
  .map(([beginning, rest]) => beginning + rest);

/** Any bytes: texts as they are, cut inside a character, or none at all. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  anyText.map((text) => new TextEncoder().encode(text)),
  fc.tuple(anyText, fc.nat(400)).map(([text, cut]) => new TextEncoder().encode(text).slice(cut)),
  fc.uint8Array({ maxLength: 200 }),
);

/** One piece repeated: what makes an expression or a loop that goes back walk for ever. */
export const repeated: readonly string[] = [
  ...pieces.filter((piece) => piece !== ''),
  ...[
    ' x',
    '# #',
    '  \n',
    '- [ ] a (',
    '[(',
    '- - ',
    'a: ',
    'a:\n',
    '{a: ',
    '"\\',
    '| |',
    '||',
    '****',
    '__',
    ') (',
    '"" ',
  ],
  ...[
    'a, ',
    'a,',
    'and ',
    ' and',
    'a (b) ',
    '1s',
    '1.',
    '%%',
    '%41',
    '~a',
    '_41',
    '> ',
    '1. ',
    'aa-',
    '\r\r',
    '\n\n',
    '## \n',
  ],
];
