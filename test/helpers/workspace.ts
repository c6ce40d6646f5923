import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from './temp-dir.ts';

/** A scratch workspace with these files; removed when the test has ended. */
export const workspaceWith = (files: Readonly<Record<string, string>>): string => {
  const workspace = tempDir();
  for (const [name, text] of Object.entries(files)) writeIn(workspace, name, text);
  return workspace;
};

export const writeIn = (workspace: string, name: string, text: string): void => {
  mkdirSync(dirname(join(workspace, name)), { recursive: true });
  writeFileSync(join(workspace, name), text);
};

/** A directory for the PATH that holds these programs, which do nothing. */
export const pathWith = (...programs: readonly string[]): string => {
  const bin = workspaceWith(Object.fromEntries(programs.map((name) => [name, ''])));
  for (const name of programs) chmodSync(join(bin, name), 0o755);
  return bin;
};

/** The directory of the workspace's only session. */
export const onlySession = (workspace: string): string => {
  const root = join(workspace, '.ralph-sessions');
  const ids = existsSync(root) ? readdirSync(root).filter((name) => /^\d{6}-\d{6}$/.test(name)) : [];
  const [id] = ids;
  if (id === undefined || ids.length > 1)
    throw new Error(`expected one session in ${root}, found ${ids.join(', ') || 'none'}`);
  return join(root, id);
};

/**
 * A diamond of short tasks; `right` fails its review on the first attempt because it leaves a word out, and passes on the second.
 */
export const diamondPlan = `goal: Build the diamond
tasks:
  - id: top
    title: The top
    files: [top.txt]
    criteria: ["top.txt is there"]
    run: [echo top > top.txt, cat top.txt]
    verify: [test -s top.txt]
  - id: left
    title: The left side
    blockedBy: [top]
    files: [left.txt]
    run: [cp top.txt left.txt]
    verify: [grep -q top left.txt]
  - id: right
    title: The right side
    blockedBy: [top]
    files: [right.txt]
    criteria: ["right.txt names its attempt"]
    run: ['if [ "$RALPH_ATTEMPT" -gt 1 ]; then echo good > right.txt; else echo bad > right.txt; fi', cat right.txt]
    verify: [grep -q good right.txt]
  - id: bottom
    title: The bottom
    blockedBy: [left, right]
    files: [bottom.txt]
    run: [cat left.txt right.txt > bottom.txt]
    verify: [test -s bottom.txt]
`;

/**
 * A shell line that says it is there and then waits until the test makes the file `go-NAME`. What it says does not stand in the line itself, which the
 * program shows before it starts it. It also ends with its workspace: where a test kills the program with SIGKILL nobody else would stop it.
 */
export const waitFor = (name: string): string =>
  `n=${name}; echo waiting for $n; while [ ! -e go-$n ] && [ -e plan.yaml ]; do sleep 0.05; done; echo went $n`;

/** Two tasks, each with a command that waits for the test. */
export const waitingPlan = `goal: Wait for the test
tasks:
  - id: first
    title: First
    files: [first.txt]
    run:
      - '${waitFor('first')}'
      - 'echo "steer=[$RALPH_STEER] info=[$RALPH_INFO]" > first.txt'
    verify: [test -s first.txt]
  - id: second
    title: Second
    blockedBy: [first]
    files: [second.txt]
    run:
      - '${waitFor('second')}'
      - echo second > second.txt
    verify: [test -s second.txt]
`;

/** Lets a command of `waitFor` go on. */
export const release = (workspace: string, name: string): void => writeIn(workspace, `go-${name}`, '');
