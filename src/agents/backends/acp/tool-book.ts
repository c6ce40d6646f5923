import { basename } from 'node:path';
import { z } from 'zod';
import { isRecord } from '../../../base/json.ts';
import type { AgentFact, ToolKind } from '../../agent-facts.ts';
import { commandText } from '../../command-text.ts';
import { changesOf } from './changes-of-call.ts';
import type { ToolPatch } from './updates.ts';

/** A tool call as far as the agent has described it. */
export interface KnownCall {
  readonly id: string;
  readonly title: string;
  readonly kind: ToolKind;
  readonly paths: readonly string[];
  readonly content: NonNullable<ToolPatch['content']>;
  readonly rawInput: unknown;
  readonly name: string | null;
  readonly parent: string | null;
}

export interface ToolBook {
  /** Takes a call or a change to one, and reports it through `emit`. `begins`: the agent announces it. */
  take(patch: ToolPatch, begins?: boolean): void;
  /**
   * Takes the call of a permission request. Gives it as the request alone describes it, under the id that it is reported by, and what the agent
   * announced of it before. The id of a call that ended stands for a new one.
   */
  ask(patch: ToolPatch): { readonly call: KnownCall; readonly announced: KnownCall | null };
  /**
   * Ends the wait of a call for an answer, by the id that it is reported by: its time has none of it. A refused call is over, and what the agent
   * says about it later changes nothing.
   */
  answered(id: string, refused: boolean): void;
  /** The number of calls that began and have not ended. */
  running(): number;
  /** Those of them that wait for the answer to a request. */
  asking(): number;
  /** Ends the reply: calls that are still open never get an end. */
  endAll(): void;
}

interface Entry {
  call: KnownCall;
  /** The agent has described it. */
  isKnown: boolean;
  /** The title that its start was reported with. */
  shown: string;
  begun: number;
  /** Since when it waits for an answer. `null`: it does not. */
  asked: number | null;
  /** How long it waited for answers so far. */
  waited: number;
  ended: boolean;
}

/** Beyond this number the oldest calls are dropped, because nothing changes them any more. */
const mostCalls = 2_000;
const mostPaths = 20;
const longestTitle = 300;
/** A command is readable in full; this keeps a file that a shell line writes out of the journal. */
const longestCommand = 8_000;

interface Book {
  readonly emit: (fact: AgentFact) => void;
  readonly monotonic: () => number;
  readonly ended: (call: KnownCall, refused: boolean) => void;
  readonly entries: Map<string, Entry>;
  /** How often an id was used, for those used more than once. */
  readonly uses: Map<string, number>;
}

/**
 * Tracks tool calls by id and reports each once at its start and once at its end (src/agents/README.md, ACP flow, step 5). Agents send the first message late,
 * twice or not at all; some titles are empty at first, and some announce a call before its input has arrived: its start is reported with what it does. Some use
 * an id again: its next call is reported as `id#2`. `ended` gets each call at its end, with everything that is known of it.
 */
export const createToolBook = (
  emit: Book['emit'],
  monotonic: Book['monotonic'],
  ended: Book['ended'] = () => {},
): ToolBook => {
  const book: Book = { emit, monotonic, ended, entries: new Map(), uses: new Map() };
  return {
    take: (patch, begins = false) =>
      take(
        book,
        entryOf(book, patch.toolCallId, begins && !isOver(patch)),
        patch,
        begins && awaitsInput(patch),
      ),
    ask: (patch) => {
      const entry = entryOf(book, patch.toolCallId, true);
      const announced = entry.isKnown ? entry.call : null;
      // A request cannot end the call that it asks for.
      take(book, entry, { ...patch, status: 'pending' });
      entry.asked ??= monotonic();
      return { call: { ...merged(blank(patch.toolCallId), patch), id: entry.call.id }, announced };
    },
    answered: (id, refused) => {
      const entry = [...book.entries.values()].find(({ call }) => call.id === id);
      if (!entry || entry.ended) return;
      if (refused) begin(book, entry);
      endWait(book, entry);
      if (refused) end(book, entry, false, true);
    },
    running: () => [...book.entries.values()].filter(isRunning).length,
    asking: () =>
      [...book.entries.values()].filter((entry) => isRunning(entry) && entry.asked !== null).length,
    endAll: () => {
      for (const entry of book.entries.values()) if (isRunning(entry)) end(book, entry, false);
    },
  };
};

/** The entry of an id. `anew`: an ended call of this id makes room for a new one. */
const entryOf = (book: Book, id: string, anew: boolean): Entry => {
  const found = book.entries.get(id);
  if (!found) return added(book, id, id);
  if (!found.ended || !anew) return found;
  const use = (book.uses.get(id) ?? 1) + 1;
  book.uses.set(id, use);
  return added(book, id, `${id}#${use}`);
};

const added = ({ entries, uses }: Book, agentId: string, id: string): Entry => {
  const made = {
    call: blank(id),
    isKnown: false,
    shown: '',
    begun: -1,
    asked: null,
    waited: 0,
    ended: false,
  };
  entries.delete(agentId);
  entries.set(agentId, made);
  const oldest = entries.keys().next();
  if (entries.size > mostCalls && !oldest.done) {
    entries.delete(oldest.value);
    uses.delete(oldest.value);
  }
  return made;
};

const isOver = ({ status }: ToolPatch): boolean => status === 'completed' || status === 'failed';

/** The agent has announced the call, and its model still writes what the call is to do. The directory is no part of that. */
const awaitsInput = ({ status, rawInput }: ToolPatch): boolean =>
  status === 'pending' && isRecord(rawInput) && Object.keys(rawInput).every((name) => name === 'cwd');

const isRunning = ({ begun, ended }: Entry): boolean => begun >= 0 && !ended;

const take = (book: Book, entry: Entry, patch: ToolPatch, waits = false): void => {
  if (entry.ended) return;
  entry.call = merged(entry.call, patch);
  entry.isKnown = true;
  // Wait for a title before reporting the start, unless the call is already over.
  if ((titleOf(entry.call) !== '' && !waits) || isOver(patch)) begin(book, entry);
  if (isOver(patch)) end(book, entry, patch.status === 'completed');
};

const begin = ({ emit, monotonic }: Book, entry: Entry): void => {
  if (entry.begun >= 0) return;
  entry.begun = monotonic();
  entry.shown = titleOf(entry.call);
  const { id, kind, paths, parent } = entry.call;
  emit({
    type: 'tool.started',
    call: id,
    title: entry.shown,
    kind,
    paths: paths.slice(0, mostPaths),
    ...(parent === null ? {} : { parent }),
  });
};

const endWait = ({ monotonic }: Book, entry: Entry): void => {
  // Before its start is reported, no time of it counts.
  if (entry.asked !== null && entry.begun >= 0)
    entry.waited += monotonic() - Math.max(entry.asked, entry.begun);
  entry.asked = null;
};

const end = (book: Book, entry: Entry, ok: boolean, refused = false): void => {
  const { emit, monotonic, ended } = book;
  const unanswered = !ok && !refused && entry.asked !== null;
  endWait(book, entry);
  entry.ended = true;
  const { id, content } = entry.call;
  const title = titleOf(entry.call);
  emit({
    type: 'tool.ended',
    call: id,
    ok,
    ...(refused ? { refused } : {}),
    ...(unanswered ? { unanswered } : {}),
    ...(title === entry.shown ? {} : { title }),
    changes: ok ? changesOf(content) : [],
    duration_ms: Math.max(0, Math.round(monotonic() - entry.begun - entry.waited)),
  });
  ended(entry.call, refused);
  // The text of an edit may be large and is no longer needed.
  entry.call = { ...entry.call, content: [], rawInput: null };
};

/** What the call does: a command as it runs, whatever its agent calls it; else the agent's title, with a file where it names none. */
const titleOf = ({ title, kind, rawInput, paths }: KnownCall): string => {
  const input =
    kind === 'execute' && isRecord(rawInput) ? commandSchema.safeParse(rawInput['command']) : null;
  if (input?.success === true) return commandText({ cmd: input.data }).slice(0, longestCommand);
  const [path] = paths;
  const lacksFile =
    path !== undefined && ofFiles.has(kind) && !paths.some((each) => title.includes(basename(each)));
  const whole = lacksFile ? `${title || kind} ${path}` : title;
  return whole.slice(0, kind === 'execute' ? longestCommand : longestTitle);
};

const ofFiles: ReadonlySet<ToolKind> = new Set(['read', 'edit', 'delete', 'move']);

const commandSchema = z.union([z.string().min(1), z.array(z.string()).min(1)]);

const blank = (id: string): KnownCall => ({
  id,
  title: '',
  kind: 'other',
  paths: [],
  content: [],
  rawInput: null,
  name: null,
  parent: null,
});

const merged = (call: KnownCall, patch: ToolPatch): KnownCall => ({
  ...call,
  title: patch.title ? patch.title : call.title,
  kind: patch.kind ?? call.kind,
  paths: pathsIn(patch) ?? call.paths,
  content: patch.content ?? call.content,
  rawInput: patch.rawInput ?? call.rawInput,
  name: patch.name ?? nameOf(patch._meta) ?? call.name,
  parent: parentOf(patch._meta) ?? call.parent,
});

/** The files that the patch names. Codex names those of an edit in its differences only. */
const pathsIn = ({ locations, content }: ToolPatch): readonly string[] | null => {
  if (locations?.length) return locations.map(({ path }) => path);
  const changed = (content ?? []).flatMap((item) => ('path' in item ? [item.path] : []));
  return changed.length > 0 ? [...new Set(changed)] : null;
};

/** Qwen Code names the tool there. */
const nameOf = (meta: unknown): string | null =>
  isRecord(meta) && typeof meta['toolName'] === 'string' ? meta['toolName'] : null;

/** The sub-agent call that this one belongs to. ACP has no field of its own for it. */
const parentOf = (meta: unknown): string | null => {
  const own = isRecord(meta) ? meta['claudeCode'] : null;
  const parent = isRecord(own) ? own['parentToolUseId'] : null;
  return typeof parent === 'string' ? parent : null;
};
