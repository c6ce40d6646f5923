const mailbox = 'test/e2e/hostile-mailbox.test.ts';
const signals = 'test/e2e/hostile-signals.ts';
const plans = 'test/e2e/hostile.test.ts';
const execution = 'test/e2e/hostile-execution.test.ts';

/** Where a case is: a file, and the words by which the case is named in it. A line that names several things has a place for each. */
export type Places = readonly (readonly [file: string, words: string])[];

const table: Readonly<Record<string, Places>> = {
  'symlink to a secret': [
    [signals, 'symlink to a secret'],
    [mailbox, 'nobody read through it'],
  ],
  'dangling and looping symlinks': [
    [signals, 'dangling symlink'],
    [signals, 'looping symlink'],
  ],
  'directory, FIFO (must not hang), socket named like a signal': [
    [signals, "'directory'"],
    [signals, "'FIFO'"],
    [signals, "'socket'"],
  ],
  'hard link': [[signals, 'hard link']],
  '0 bytes': [[signals, '0 bytes']],
  '70 KB': [[signals, '70 KB']],
  '2 GB sparse': [[signals, '2 GB sparse']],
  'growing file': [[mailbox, 'growing file is left alone as long as it grows, and taken whole then']],
  'half-written valid YAML': [
    [signals, 'half-written YAML'],
    [
      'test/e2e/by-hand.test.ts',
      'a signal that is written slowly, valid at every pause, is acted on once and whole',
    ],
  ],
  'invalid UTF-8 content and file names': [
    [signals, 'invalid UTF-8 content'],
    [signals, 'invalid UTF-8 file name'],
  ],
  'newline, ESC, 255 bytes in a name': [
    [signals, 'newline in a name'],
    [signals, 'ESC in a name'],
    [signals, '255 bytes in a name'],
  ],
  'the same name twice': [
    [mailbox, 'the same name twice with the same text is two signals, and both are kept'],
  ],
  '1,000 in one second': [[mailbox, '1,000 in one second reach the task']],
  'years 1970 and 2099': [
    [signals, 'year 1970'],
    [signals, 'year 2099'],
  ],
  'both date forms': [
    [signals, 'date of six digits'],
    [signals, 'date of eight digits'],
  ],
  'inputs/ replaced by a symlink or deleted while running': [
    [mailbox, 'inputs/ replaced by a symlink while running'],
    [mailbox, 'inputs/ deleted while running'],
  ],
  // A disk that is full for the mailbox alone exists only as a simulated one.
  'processed/ read-only or full': [
    [mailbox, 'processed/ that is read-only'],
    [mailbox, 'processed/ with a file in its place'],
    ['test/signals/mailbox.test.ts', 'keeps the claim when the disk is full, and archives later'],
  ],
  '10,000 at once': [[mailbox, '10,000 at once are warned about']],
  // No program can be given another clock from outside: the real mailbox on the real disk, with a clock of the test.
  'clock stepping back': [
    [
      'test/signals/clock-back.test.ts',
      'a clock that steps back loses no signal, uses no name twice and changes no order',
    ],
    ['test/signals/mailbox.test.ts', 'is not fooled by a person who sets the clock'],
  ],
  'pid reuse': [[mailbox, 'a claim whose pid was given to another process since is taken over']],

  'alias bomb': [
    [plans, 'an alias bomb'],
    [signals, 'alias bomb'],
  ],
  '64 KiB of anchors': [
    [plans, '64 KiB of anchors'],
    [signals, '64 KiB of anchors'],
  ],
  '20,000 nested [': [
    [plans, '20,000 nested lists'],
    [signals, '20,000 nested ['],
  ],
  'duplicate type': [
    [plans, 'the same key twice'],
    [signals, 'duplicate type'],
  ],
  'two documents': [
    [plans, 'two documents'],
    [signals, 'two documents'],
  ],
  'forged handling_metadata': [[signals, 'forged handling_metadata']],
  'message a map or 1 MB': [
    [signals, 'message a map'],
    [signals, 'message of 1 MB'],
  ],
  '---js front matter': [[plans, "'---js"]],
  'task id ../../x': [
    [plans, 'a path as task id'],
    [plans, 'A path as id'],
    [signals, 'task id ../../x'],
  ],
  'blockedBy itself, a cycle, a ghost, 10,000 edges': [
    [plans, 'a task that waits for itself'],
    [plans, 'a circle of tasks'],
    [plans, 'a task that waits for a ghost'],
    [plans, '10,000 edges to one ghost'],
  ],
  'progress lines with parentheses, duplicated, re-ordered by a person': [
    [plans, 'a session whose task files and progress are hostile'],
    [plans, 'progress lines that a person wrote notes on, doubled and put in another order'],
  ],

  'OSC 52 in a message (BEL, ST, C1, unterminated)': [
    [execution, 'OSC 52 ended by BEL'],
    [execution, 'OSC 52 ended by ST'],
    [execution, 'OSC 52 of C1 bytes'],
    [execution, 'OSC 52 without an end'],
  ],
  'a permission prompt forged by cursor movement': [[execution, 'a prompt forged by cursor movement']],
  'RLO and zero-width characters in a file name': [
    [execution, 'right-to-left override and zero width'],
    [signals, 'RLO in a name'],
  ],
  'paste that ends the bracket and adds a hotkey': [
    [
      'test/e2e/storm.test.ts',
      'a paste that ends its bracket and goes on with keys aborts nothing and sends nothing',
    ],
  ],
  'carriage-return progress bars': [[execution, 'a progress bar']],
  '157 MB of output in one line': [
    [execution, 'MB of output in one line keep the screen alive'],
    ['test/base/spawn.test.ts', 'that print 157 MB in one line are passed on in pieces'],
  ],
  'binary output': [[execution, 'binary output']],

  '; rm -rf, $( ), a leading - in names': [
    [execution, 'and a leading dash in names of files, titles and messages run nothing'],
  ],
  'LD_PRELOAD, NODE_OPTIONS, GIT_SSH_COMMAND in a plan': [
    [plans, 'an environment that runs code'],
    ['test/e2e/environment.test.ts', "'LD_PRELOAD', 'NODE_OPTIONS', 'GIT_SSH_COMMAND'"],
  ],
  'a plan from an untrusted repository': [
    ['test/e2e/trust.test.ts', 'a plan is shown and asked about in the terminal'],
  ],
  'agents that ignore TERM, fork away, print for ever, exit 0 without a result, answer with prose instead of the contract':
    [
      ['test/e2e/steer.test.ts', 'not even one that ignores TERM or left its group'],
      [execution, 'agents that print for ever'],
      [execution, 'exit 0 without a result'],
      [execution, 'answer with prose instead of the contract'],
    ],
  'Secrets never reach journal, logs, reports or screen': [
    ['test/e2e/secrets.test.ts', 'no secret reaches a file of the session, standard output or an error'],
    ['test/e2e/secrets.test.ts', 'no secret reaches the screen'],
  ],

  'Quit deleted the session': [
    [
      'test/e2e/keys.test.ts',
      'pause and leave stops the agents and saves; resume starts that attempt under a new number',
    ],
  ],
  '"sent" shown as "delivered"': [
    ['test/components/steering.test.tsx', 'pauses, says what was sent, and claims nothing more'],
  ],
  'abort left agents running with permissions skipped': [
    ['test/e2e/steer.test.ts', 'ABORT ends the session with exit 130 and leaves no process'],
  ],
  'after the terminal was gone the engine started another agent': [
    ['test/e2e/terminal-gone.test.ts', 'leaves no agent, starts no other one'],
  ],
  'quota error booked as failure or success': [
    [
      'test/pipeline/attempts.test.ts',
      'a quota does not count: dispatch is held until the stated time and resumes by itself',
    ],
  ],
  'blocked tasks dispatched': [
    ['test/e2e/run.test.ts', 'blocked tasks start after their blockers are done, never before'],
  ],
  'a stop reason lost': [
    ['test/e2e/terminal-gone.test.ts', 'saves with the reason "%s", and can be resumed'],
  ],
  "an earlier run's evidence overwritten": [
    [
      'test/e2e/again.test.ts',
      'a second run leaves every byte of the first as it was, and each attempt has its own report and log',
    ],
  ],
  '10 MB of old logs froze the screen': [
    ['test/e2e/reading.test.ts', 'a session with 30 MB of old logs opens and scrolls at once'],
  ],
  'scroll jumps while one reads': [
    [
      'test/components/steering.test.tsx',
      'a window that was scrolled stays on its lines while more is printed',
    ],
  ],
  'keys advertised without a handler, README keys that differ from the code, two handlers on one key': [
    ['test/components/table.test.ts', 'footer and help advertise only keys that are in the table'],
    ['test/repository/readme.test.ts', 'the tables of the pages are those of the code'],
    ['test/components/table.test.ts', 'has no key with two commands in one context'],
  ],
  'typing in a search field triggered hotkeys': [
    [
      'test/components/reading.test.tsx',
      'what is typed into a search or a filter is text, whatever keys it holds',
    ],
  ],
  'footer cut at 100 columns, help taller than the screen': [
    ['test/components/any-size.test.tsx', 'no line is wider and no frame taller than the screen'],
  ],
  'NO_COLOR ignored': [['test/e2e/screen.test.ts', 'with NO_COLOR the screen is drawn without a colour']],
  'raw control characters broke the screen': [
    [execution, 'from the first byte to the last the terminal got no sequence that is not ours'],
  ],
  'a template literal printed raw in `status`': [
    ['test/e2e/read.test.ts', 'holds no unfilled template and no missing value'],
  ],
  'approval gates that hang for ever or vanish on restart': [
    [
      'test/e2e/exits.test.ts',
      'a gate with a deadline waits without a terminal, says until when, survives kill -9, and takes `approve`',
    ],
  ],
  'idle watchdogs that spend model calls': [['test/sim/guards.test.ts', 'call-while-held']],
  'error classification by string matching': [
    [
      'test/e2e/run.test.ts',
      'words like 429 and quota in what a program prints decide nothing: its exit code does',
    ],
  ],
  'a dead feature that was never wired': [
    ['test/components/table.test.ts', 'nearly every command can act in a session with work under way'],
    ['test/components/own-keys.test.tsx', 'every command can have such a key'],
  ],
};

/** The case of each line. What `signals` names is a row of the table in `hostile-mailbox.test.ts`. As a key of an object literal `__proto__` would be no key. */
export const cases: ReadonlyMap<string, Places> = new Map([
  ...Object.entries(table),
  [
    '__proto__',
    [
      [plans, 'a key __proto__'],
      [signals, '__proto__ as a key'],
    ],
  ],
]);
