/**
 * Finds the line of a program's output that names the cause of its failure, by the usual forms of error output. The last lines are often a stack,
 * a summary or a version ("Node.js v24") and name no cause. `null` when no line looks like an error.
 */
export const failureLine = (lines: readonly string[]): string | null => {
  const telling = lines.filter((line) => !isNoise(line));
  for (const { pattern, take, unless } of looks) {
    const isIt = (line: string): boolean => pattern.test(line) && unless?.test(line) !== true;
    const index = take === 'first' ? telling.findIndex(isIt) : telling.findLastIndex(isIt);
    const line = telling[index];
    if (line !== undefined) return withDetail(line.trim(), telling[index + 1]);
  }
  return null;
};

/** The lines of a program's output that name what failed, in their order and each once; none where no line looks like an error. */
export const failureLines = (lines: readonly string[], most: number): readonly string[] => {
  const names = lines.filter(
    (line) =>
      !isNoise(line) &&
      looks.some(({ pattern, unless }) => pattern.test(line) && unless?.test(line) !== true),
  );
  return [...new Set(names)].slice(0, most);
};

/** Whether a line never names a cause: stack frames, carets, advice and version lines. */
export const isNoise = (line: string): boolean => noise.some((pattern) => pattern.test(line));

const noise: readonly RegExp[] = [
  /^\s*at (?:async )?[\w$.<>[\] /]+[(:]/,
  /^\s*at .*:\d+(?::\d+)?\)?$/,
  /^\s*at [\w$.]+\(/,
  /^Node\.js v\d/,
  /^\s*[\^~|─-]+\s*$/,
  /^\s*\.\.\. \d+ more$/,
  /^npm (?:ERR!|error) (?:A complete log|Lifecycle script|errno|code|path|workspace|location|command|in workspace|\s)/,
  /^\s*(?:For more information about this error|note: run with `RUST_BACKTRACE|exit status \d+$)/,
  /^make(?:\[\d+\])?: (?:\*\*\*|Leaving|Entering)/,
  /^goroutine \d+ \[/,
  /^✖ failing tests:$/,
];

/** One form of an error line. The first form in the list that a line matches wins. */
interface Look {
  readonly pattern: RegExp;
  /** Which of several matches counts: compilers begin with the cause, tracebacks end with it. */
  readonly take: 'first' | 'last';
  readonly unless?: RegExp;
}

const looks: readonly Look[] = [
  // Go: `panic: runtime error: …`; Rust: `thread 'main' panicked at src/main.rs:2:5:`, whose next line is the message.
  { pattern: /^panic: \S/, take: 'first' },
  { pattern: /^thread '.*' (?:\(\d+\) )?panicked at /, take: 'first' },
  // pytest marks failed assertions with an E.
  { pattern: /^E\s{2,}\S/, take: 'first' },
  // Java: the innermost cause is last.
  { pattern: /^Caused by: \S/, take: 'last' },
  { pattern: /^Exception in thread ".*" \S/, take: 'first' },
  // JavaScript, Python, Ruby: `TypeError: x is not a function`, `ModuleNotFoundError: No module named 'x'`.
  {
    pattern:
      /^\s*(?:Uncaught |Unhandled |\[?cause\]?: )?(?:[\w$]+\.)*[A-Z][\w$]*(?:Error|Exception|Interrupt|Warning)(?: \[[\w-]+\])?: \S/,
    take: 'last',
    unless: /Warning: |^\s*\[?cause/,
  },
  // Compilers: `src/x.ts(1,2): error TS2304: …`, `x.c:1:2: error: …`, `error[E0382]: …`, `./main.go:5:2: undefined: x`.
  {
    pattern: /^error(?:\[E\d+\])?: \S/,
    take: 'first',
    unless: /could not compile|aborting due to|test failed, to rerun|process didn't exit/,
  },
  { pattern: /^\S.*(?:\(\d+,\d+\)|:\d+): (?:fatal )?error(?: [A-Z]+\d+)?: \S/, take: 'first' },
  { pattern: /^\S+\.go:\d+(?::\d+)?: \S/, take: 'first' },
  { pattern: /^\[ERROR\] \S/, take: 'first' },
  // Shells and the commands they start: `sh: 1: uv: not found`, `cat: x: No such file or directory`.
  {
    pattern:
      /: (?:not found|command not found(?:: \S+)?|No such file or directory|Permission denied|cannot execute.*|Is a directory|Exec format error)$/,
    take: 'last',
  },
  // Test runners name the test: Go, TAP, pytest, cargo, Vitest, Jest, Mocha.
  { pattern: /^\s*--- FAIL: \S/, take: 'first' },
  { pattern: /^not ok \d/, take: 'first' },
  { pattern: /^FAILED \S/, take: 'first' },
  { pattern: /^test .+ \.\.\. FAILED$/, take: 'first' },
  { pattern: /^\s*(?:FAIL|●|✗|✘|×|✖)\s+\S/, take: 'first' },
  { pattern: /^\s+1\) \S/, take: 'first' },
  // Every other line that is labelled as an error: git, npm, pip, make.
  { pattern: /^(?:\S+: )?(?:fatal|error|Error|ERROR|npm error|npm ERR!):? \S/, take: 'first' },
];

/** A Rust panic prints its message on the line after the location. */
const withDetail = (line: string, next: string | undefined): string =>
  / panicked at \S+:$/.test(line) && next !== undefined
    ? `${line} ${next.trim()}`
    : line.replace(/^E\s+/, '');
