import { assertNever } from '../base/assert-never.ts';
import { forbiddenCommand, violationsIn } from '../session/guidance/guards.ts';
import type { Guidance } from '../session/guidance/guidance.ts';
import type { Settings } from '../session/settings.ts';
import type { Role } from '../signals/signal.ts';

/** The permissions of agents without a person, chosen at the start of a session. */
export type Preset = Settings['permissions'];

/** The kinds of requests that decide. Agents' tool kinds map to these; `task-file`: the commands of a task file were edited. */
export type PermissionKind = 'read' | 'edit' | 'command' | 'network' | 'mode' | 'other' | 'task-file';

/** One request as input of the decision. */
interface PermissionCase {
  readonly preset: Preset;
  readonly role: Role;
  /** The role of a flow's task whose work is a text: it changes no file under any preset. */
  readonly reader?: string;
  /** The role of a worker whose definition lists no tool for such a request: it is refused under every preset. */
  readonly without?: string | null;
  readonly kind: PermissionKind;
  /** Every path, or the command's directory, is in the workspace. `false` also if none is named. */
  readonly inside: boolean;
  /** The request is a call of one of our own tools. */
  readonly ours: boolean;
  /** The guidance that forbids it. Absent or `null`: none does. */
  readonly forbidden?: string | null;
}

type PermissionDecision =
  | { readonly decision: 'allow' | 'ask' }
  | { readonly decision: 'refuse'; readonly why: string };

/**
 * Allow, refuse or ask a person (src/agents/README.md, ACP flow, step 6):
 *
 * | preset | read | edit | command | network, mode, other |
 * | --- | --- | --- | --- | --- |
 * | ask | inside | ask | ask | ask |
 * | edits | inside | inside | ask | ask |
 * | workspace | inside | inside | inside | ask |
 * | all | yes | yes | yes | yes |
 *
 * "inside" allows requests inside the workspace and asks about the rest. Every preset refuses edits of all roles but the Executor, of readers in a
 * flow, what the definition of a worker lists no tool for, and everything that the person's guidance forbids. Our own tools are always allowed.
 */
export const decidePermission = ({
  preset,
  role,
  reader,
  without = null,
  kind,
  inside,
  ours,
  forbidden = null,
}: PermissionCase): PermissionDecision => {
  if (ours) return allow;
  if (forbidden !== null) return { decision: 'refuse', why: forbidden };
  if (kind === 'edit' && role !== 'Executor')
    return { decision: 'refuse', why: `a ${role} does not edit files` };
  if (kind === 'edit' && reader !== undefined)
    return { decision: 'refuse', why: `the ${reader} does not edit files: it submits its text` };
  if (without !== null)
    return { decision: 'refuse', why: `the ${without} has no tool for this: its definition lists none` };
  if (preset === 'all') return allow;
  return inside && allowedInside[preset].includes(kind) ? allow : ask;
};

const allow = { decision: 'allow' } as const;
const ask = { decision: 'ask' } as const;

const allowedInside: Readonly<Record<Exclude<Preset, 'all'>, readonly PermissionKind[]>> = {
  ask: ['read'],
  edits: ['read', 'edit'],
  workspace: ['read', 'edit', 'command'],
};

/** A request as shown to a person, whose answer may be remembered. Texts are the agent's own: they pass `safe()` before they reach a screen. */
export interface PermissionAsk {
  /** The id of the tool call. */
  readonly call: string;
  readonly kind: PermissionKind;
  readonly title: string;
  /** The exact command, or `null` if none runs. */
  readonly command: string | null;
  /** The command's directory, absolute. */
  readonly directory: string;
  /** Files of the request, absolute. */
  readonly paths: readonly string[];
  readonly diffs: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  readonly inside: boolean;
  readonly ours: boolean;
  /** Absolute: the directory in which the agent works. */
  readonly root: string;
  /** Why it is not part of the work in the workspace, as sentences for the person. */
  readonly notes: readonly string[];
  readonly memory: PermissionMemory;
}

/** What a permission for the session holds for: equal identities are equal requests. `partial`: why this request is never remembered. */
type PermissionMemory = { readonly identity: string } | { readonly partial: string };

/** What an agent wants, in one line: the command, else the title with the files that it does not name ("Edit files: left.txt"). */
export const askWords = ({
  command,
  title,
  paths,
}: Pick<PermissionAsk, 'command' | 'title' | 'paths'>): string => {
  if (command !== null) return command;
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const unnamed = names.filter((name) => !title.includes(name));
  if (unnamed.length === 0) return title;
  const rest = unnamed.length > 3 ? `, ${unnamed.length - 3} more` : '';
  return `${title}: ${unnamed.slice(0, 3).join(', ')}${rest}`;
};

/** The sentence of the guidance that forbids a request, or `null`. Reading is never forbidden, but by a command that is. */
export const forbiddenBy = (
  guidance: Guidance | undefined,
  { kind, command, paths }: PermissionAsk,
  workspace: string,
): string | null => {
  if (guidance === undefined) return null;
  const found =
    (command === null ? null : forbiddenCommand(guidance, command)) ??
    (kind === 'read' ? undefined : violationsIn(guidance, paths, workspace)[0]);
  return found?.sentence ?? null;
};

/** The decision on a request. */
export type PermissionAnswer = 'allow' | 'refuse' | 'cancelled';

/** A person's answer, given by a key on a screen. `session` also covers later identical requests. */
export interface PermissionReply {
  readonly request: string;
  readonly decision: 'once' | 'session' | 'no';
  readonly why?: string;
  readonly by: string;
  /** The device of `serve` on which it was given, by its id: it counts only once a key has confirmed the device. */
  readonly device?: string;
}

/** A preset in words, for the header and for help. */
export const presetWords = (preset: Preset): string => {
  switch (preset) {
    case 'ask':
      return 'asks before everything but reading';
    case 'edits':
      return 'edits in the workspace without asking';
    case 'workspace':
      return 'edits and runs commands in the workspace without asking';
    case 'all':
      return 'does everything without asking';
    default:
      return assertNever(preset);
  }
};
