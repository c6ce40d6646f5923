import { z } from 'zod';
import { type Checked, type Fault, FaultError } from '../../base/fault.ts';
import { fromJson } from '../../base/json.ts';
import { gitEnvironment, personalGit } from '../../base/process/git-environment.ts';
import { runTool, type ToolPorts, type ToolResult } from '../../base/process/run-tool.ts';
import { checkValue } from '../../tasks/schema-faults.ts';
import type { TrackerPorts } from './tracker.ts';

/** The ports of adapters that ask another program. */
export interface ProgramPorts extends TrackerPorts, ToolPorts {}

/** The program of a tracker, and its errors in our words. */
export interface TrackerProgram {
  readonly name: string;
  readonly installHint: string;
  /** Variables of the person's environment with its login. `git`: its whole environment, for helpers of git may read any of it. */
  readonly inherit: readonly string[] | 'git';
  /** The fault of an exit that is not 0; `null` when it is none of its known ones. Any other fault has the program's own words. */
  readonly explain: (result: ToolResult, args: readonly string[]) => Fault | null;
}

const timeoutMs = 60_000;

/** Runs the tracker's program in the workspace and gives its stdout. Throws a `FaultError` of one sentence; `guarded` turns it into the answer. */
export const askProgram = async (
  ports: ProgramPorts,
  program: TrackerProgram,
  args: readonly string[],
  input?: string,
): Promise<string> => {
  const result = await runTool(
    ports,
    { projectDir: ports.workspace, marker: `tracker/${program.name}`, signal: new AbortController().signal },
    {
      argv: [program.name, ...args],
      timeoutMs,
      inherit:
        program.inherit === 'git'
          ? Object.keys(gitEnvironment(ports.env))
          : [...program.inherit, ...Object.keys(personalGit(ports.env))],
      ...(input === undefined ? {} : { input }),
    },
  );
  if (result.ok) return result.out;
  throw new FaultError(faultOf(program, result, args));
};

const missingProgram = 'tracker-missing';

/** The tracker's own program cannot be started. */
export const isMissingProgram = ({ code }: Fault): boolean => code === missingProgram;

const faultOf = (
  { name, installHint, explain }: TrackerProgram,
  result: ToolResult,
  args: readonly string[],
): Fault => {
  if (result.exit.kind === 'not-started')
    return { code: missingProgram, what: `${name} cannot be started`, hint: installHint };
  if (result.exit.kind === 'timed-out')
    return {
      code: 'tracker-timeout',
      what: `${name} did not answer within ${timeoutMs / 1_000} s`,
      hint: 'try again later',
    };
  const known = explain(result, args);
  if (known !== null) return known;
  return { code: 'tracker-failed', what: `${name} failed: ${wordsOf(result) || 'it gave no reason'}` };
};

const mostWords = 400;

/** What the program said, as it is: on stderr, or in the `error` of its JSON. */
const wordsOf = ({ error, out }: ToolResult): string => {
  const text = error.trim() === '' ? (spokenSchema.safeParse(fromJson(out)).data?.error ?? out) : error;
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .slice(0, mostWords);
};

const spokenSchema = z.looseObject({ error: z.string() });

/** Parses the JSON that a program printed, also from an envelope with the answer in `data`. Half an answer is a failure, never a short list. */
export const jsonFrom = <T>(name: string, text: string, check: (value: unknown) => Checked<T>): T => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FaultError(notJson(name, text));
  }
  const checked = check(value);
  if (checked.ok) return checked.value;
  const inside = envelopeSchema.safeParse(value);
  const unpacked = inside.success ? check(inside.data.data) : checked;
  if (unpacked.ok) return unpacked.value;
  const what = `${name} answered in an unknown format`;
  const where = checked.faults[0]?.what;
  throw new FaultError({
    code: 'tracker-answer',
    what: where === undefined ? what : `${what} (${where})`,
    hint: 'update it',
  });
};

const envelopeSchema = z.looseObject({ data: z.unknown() });

/** Text that begins as JSON was cut off, which may not happen again. Any other text is what this version always prints. */
const notJson = (name: string, text: string): Fault => {
  if (/^\s*(?:[[{]|$)/.test(text))
    return {
      code: 'tracker-answer',
      what: `${name} answered with incomplete JSON`,
      hint: 'try again later',
    };
  const said = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .slice(0, mostWords / 4);
  return {
    code: 'tracker-answer',
    what: `${name} did not answer with JSON but with "${said}"`,
    hint: `update ${name}: its version may not know --json here`,
  };
};

/** For `jsonFrom`: what a schema says of an answer. */
export const checkedBy =
  <T>(schema: z.ZodType<T>) =>
  (value: unknown): Checked<T> =>
    checkValue(schema, value, { file: '', line: null }, 'tracker-answer');
