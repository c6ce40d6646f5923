import type { SteerVerdict } from '../signals/signal.ts';
import { steerTraces } from '../signals/steer-decision.ts';
import type { Message } from './port.ts';
import { count } from './roles/markdown.ts';
import { summarize } from './roles/messages.ts';

/** The subject that a STEER is compared with (seed 001, section 3.1: files modified, success criteria, objective). */
export interface SteerSubject {
  /** `null` for roles that work on the whole session. Only a person's `apply` escalates there. */
  readonly task: {
    readonly title: string;
    readonly objective: string;
    readonly criteria: readonly string[];
    readonly files: readonly string[];
  } | null;
  /** Workspace-relative files that this attempt changed so far. */
  readonly changed: readonly string[];
  /** The commands that this attempt ran so far, as text. */
  readonly ran: readonly string[];
  /** Why a message that only adds cannot be followed; `null` when it can. Absent: it can always. */
  readonly cannot?: (message: Steer) => string | null;
}

type Steer = Pick<Message, 'text' | 'apply' | 'unproven'>;

interface SteerDecision {
  readonly verdict: SteerVerdict | 'not followed';
  /** The reason, in words for people. */
  readonly evidence: string;
}

/**
 * The decision tree without a model (src/signals/README.md, Types). A person's `apply` decides if given. Else a message that contradicts finished
 * work restarts, and one that redefines the objective escalates. Any other only adds, if the work can still be added to.
 */
export const decideSteer = (message: Steer, subject: SteerSubject): SteerDecision => {
  const decision = treeVerdict(message, subject);
  const cannot = decision.verdict === 'adjust' ? (subject.cannot?.(message) ?? null) : null;
  return cannot === null ? decision : { verdict: 'not followed', evidence: cannot };
};

const treeVerdict = (message: Steer, subject: SteerSubject): SteerDecision => {
  if (message.apply) return { verdict: message.apply, evidence: `the sender chose ${message.apply}` };
  const done = contradictedWork(message.text, subject);
  if (done) return { verdict: 'restart', evidence: done };
  const scope = subject.task ? redefinition(message.text, subject) : null;
  if (scope) return { verdict: 'escalate', evidence: scope };
  return { verdict: 'adjust', evidence: additive(subject) };
};

/** `action_taken` and the report's trace. */
export const steerAction = (verdict: keyof typeof steerTraces, text: string): string =>
  `${steerTraces[verdict]}: ${summarize(text)}`;

/** Words before the rejected part: "not chrome", "instead of foo", "replace out.txt". */
const before =
  /\b(?:do not|don['’]?t|not|never|no longer|no|skip|omit|exclude|leave out|stop|avoid|instead of|rather than|without|remove|drop|replace|undo|revert|redo|rewrite|rename|delete)\b/iu;
/** Words that reject their whole clause: "out.txt is wrong". */
const anywhere =
  /\b(?:wrong|deprecated|obsolete|outdated|broken|mistaken|instead(?! of)|(?:must|should|may|can|is|are|was)(?: ?not|n['’]t))\b/iu;
/** Verbs for a task's product. A redefinition forbids the product or demands another. */
const making =
  /\b(?:build|make|create|write|implement|develop|generate|produce|add|design|deliver|ship|work on|do)\b/iu;
const forbidden = new RegExp(
  `\\b(?:do not|don['’]?t|stop|forget(?: about)?|no need to|never)\\s+(?:${making.source})`,
  'iu',
);
const openly =
  /\b(?:(?:new|different|other) (?:objective|goal|task)|change (?:of )?(?:the )?(?:objective|goal|scope|plan|task)|scope change)\b/iu;

/** The sentence that shows which finished work the message contradicts, or `null`. */
const contradictedWork = (text: string, subject: SteerSubject): string | null => {
  const own = new Set(wordsOf(ownText(subject.task)));
  for (const part of contradictedParts(text)) {
    const words = new Set(wordsOf(part));
    const lower = part.toLowerCase();
    const file = subject.changed.find((path) => namesFile(lower, words, path, own));
    if (file) return `it contradicts ${file}, which was already changed ("${summarize(part, 60)}")`;
    const command = subject.ran.find((ran) => commandWords(ran).some((word) => words.has(word)));
    if (command) return `it contradicts "${summarize(command, 60)}", which already ran`;
  }
  return null;
};

const redefinition = (text: string, subject: SteerSubject): string | null => {
  if (openly.test(text)) return `it says so: "${summarize(text, 60)}"`;
  const insteadOf = /\binstead\b/iu.test(text);
  const forbids = forbidden.exec(text);
  if (forbids) {
    const rest = text.slice(forbids.index + forbids[0].length);
    if (insteadOf || making.test(rest)) {
      return `it forbids the objective and asks for another ("${summarize(text, 60)}")`;
    }
  }
  const own = new Set(wordsOf(`${ownText(subject.task)} ${subject.task?.files.join(' ') ?? ''}`));
  const shared = wordsOf(text).filter((word) => own.has(word));
  // A word that only forbids something else adds a constraint. It redefines the task when it asks for another thing, too.
  const asks = insteadOf || (forbids !== null && making.test(text.slice(forbids.index + forbids[0].length)));
  if (asks && making.test(text) && shared.length === 0) {
    return 'it asks for something else and has no word in common with the objective or the criteria';
  }
  return null;
};

const additive = (subject: SteerSubject): string => {
  const changed = subject.changed.length;
  const ran = subject.ran.length;
  if (changed === 0 && ran === 0) return 'nothing has been done yet that it could contradict';
  return `it contradicts neither the ${count(changed, 'changed file')} and ${count(ran, 'command')} so far nor the objective`;
};

/** The rejected parts of a message: the text after a word of rejection, or the whole clause around a judgement. */
export const contradictedParts = (text: string): readonly string[] => {
  const parts: string[] = [];
  for (const clause of text.split(/[,;:!?\n]+|\.(?=\s|$)|\bbut\b/iu)) {
    if (anywhere.test(clause)) parts.push(clause);
    // The text after the first word of rejection includes the text after all others.
    const match = before.exec(clause);
    if (match) parts.push(clause.slice(match.index + match[0].length));
  }
  return parts;
};

const namesFile = (
  part: string,
  words: ReadonlySet<string>,
  path: string,
  own: ReadonlySet<string>,
): boolean => {
  const lower = path.toLowerCase();
  const base = lower.slice(lower.lastIndexOf('/') + 1);
  if (part.includes(lower) || part.includes(base)) return true;
  const stem = base.replace(/\.[^.]*$/u, '');
  return stem.length >= 4 && words.has(stem) && !own.has(stem);
};

const ownText = (task: SteerSubject['task']): string =>
  task ? [task.title, task.objective, ...task.criteria].join(' ') : '';

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []).filter(
    (word) => word.length > 2 && !common.has(word),
  );

/** The subject words of a command, without options' dashes, common programs and shell words. */
const commandWords = (command: string): readonly string[] =>
  wordsOf(command).filter((word) => !programs.has(word));

const common: ReadonlySet<string> = new Set(
  `the and for not but with from into this that these those are was were will would should must can could have has had its use using used
  don never stop instead rather than also only please all any each now then when where what which who how one two too very just more less
  task work file files step make build write create implement develop generate produce add design deliver ship`.split(
    /\s+/u,
  ),
);
const programs: ReadonlySet<string> = new Set(
  `node npm npx pnpm yarn bun deno python python3 bash sh zsh make cargo git echo printf test cat sed awk grep mkdir touch cp mv rm env
  true false run exec sleep tee exit set eval out err tmp dev null src lib bin`.split(/\s+/u),
);
