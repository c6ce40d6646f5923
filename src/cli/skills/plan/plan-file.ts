import { formatTimestamp } from '../../../base/clock.ts';
import { sha256 } from '../../../base/hash.io.ts';
import { changedParts, diffLines } from '../../../base/match/line-diff.ts';
import { readText, replaceFile } from '../../../base/replace-file.ts';
import { safe } from '../../../base/safe.ts';
import { boxKey, planBoxes, withTicksOf } from '../../../issues/documents/plan-boxes.ts';
import { ask } from '../../../session/forms/question.ts';
import { editFrontMatter } from '../../../tasks/front-matter.ts';
import { count } from '../../../words/local-time.ts';
import { failure } from '../../cli.ts';
import { recallTrust, rememberTrust } from '../../trust/trust-memory.ts';
import { answerTo } from '../exchange.ts';
import { documentFile } from '../skill-place.ts';
import type { SkillRun } from '../skill-run.ts';

/**
 * The plan of a conversation that carries it out, as its file holds it. Agents can write files, so ticks count only where this program made them: it
 * remembers them outside the workspace.
 */
export interface PlanFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: () => string;
  /** Writes the ticks. `false`: the person left while being asked about another edit. */
  readonly keep: (ticked: string) => Promise<boolean>;
  /** Takes over an edit of the file after the person saw it. `false`: the person left. */
  readonly settle: () => Promise<boolean>;
  /** Marks the plan as done. `false`: the person left. */
  readonly close: () => Promise<boolean>;
}

/** Opens the plan and asks about ticks that nobody vouches for. `null`: the person left. */
export const openPlanFile = async (run: SkillRun): Promise<PlanFile | null> => {
  const { journal, world } = run;
  const path = journal.talk().about?.path ?? '';
  const read = (): string => {
    const text = readText(world.disk, documentFile(run, path));
    if (text === null)
      throw failure({ code: 'plan-gone', where: path, what: 'the plan was removed', hint: 'restore it' });
    return text;
  };
  let plan = '';
  const take = (text: string): void => {
    plan = text;
    journal.add({ type: 'about', path, text, edits: true });
    journal.add({ type: 'drafted', text, problems: [] });
  };
  const write = (text: string): void => {
    if (text !== read()) replaceFile(world.disk, world.random, documentFile(run, path), text);
    rememberTicks(run, path, text);
    take(text);
  };
  const settle = async (): Promise<boolean> => {
    const present = read();
    if (present === plan) return true;
    const answer = await answerTo(run, editedQuestion(run, path, plan, present));
    if (answer === null) return false;
    write(answer === 'edited' ? withTicksOf(present, plan) : plan);
    return true;
  };
  const keep = async (ticked: string): Promise<boolean> => {
    if (!(await settle())) return false;
    // The person may have taken over other words just now: ticks stay with theirs.
    write(withTicksOf(plan, ticked));
    return true;
  };
  const close = async (): Promise<boolean> => {
    if (!(await settle())) return false;
    write(editFrontMatter(plan, { status: 'done' }));
    return true;
  };
  take(read());
  return (await vouched(run, path, plan, write)) ? { path, text: () => plan, keep, settle, close } : null;
};

const editedQuestion = ({ journal }: SkillRun, path: string, known: string, present: string) => {
  const lines = changedParts(diffLines(known, present)).map((line) =>
    line === null ? '…' : `${{ same: ' ', old: '-', new: '+' }[line.kind]} ${line.text}`,
  );
  const rest = lines.length - mostLines;
  return ask(
    `edited-${journal.talk().turns.length}`,
    'choice',
    `${safe(path)} was edited in the meantime. Which version should be used?`,
    {
      help: [...lines.slice(0, mostLines), ...(rest > 0 ? [`… and ${count(rest, 'more line')}`] : [])].join(
        '\n',
      ),
      options: [
        {
          id: 'edited',
          label: 'the edited plan',
          detail: 'boxes that the edit ticked or reworded are unticked',
        },
        { id: 'known', label: 'the plan as it was', detail: 'the edit is undone' },
      ],
    },
  );
};

/** Lines of a difference in a question. */
const mostLines = 60;

/** Ticks that this program did not make count only on the person's word; without it the boxes are open again. */
const vouched = async (
  run: SkillRun,
  path: string,
  plan: string,
  write: (text: string) => void,
): Promise<boolean> => {
  const { cli, world, workspace, journal } = run;
  const ticked = planBoxes(plan).filter((box) => box.ticked);
  if (ticked.length === 0) return true;
  if (recallTrust(cli.env, world, workspace, nameOf(path))?.sha256 === ticksOf(plan)) return true;
  const question = ask(
    `ticks-${journal.talk().turns.length}`,
    'choice',
    ticked.length === 1
      ? 'One box was ticked, but not by this program. Did you verify it?'
      : `${ticked.length} boxes were ticked, but not by this program. Did you verify them?`,
    {
      help: ticked.map(({ phase, text }) => `${phase}: ${text}`).join('\n'),
      options: [
        { id: 'yes', label: 'yes, I did', detail: '' },
        { id: 'no', label: 'no, untick again', detail: '' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  if (answer === null) return false;
  write(answer === 'yes' ? plan : withTicksOf(plan, ''));
  return true;
};

const nameOf = (path: string): string => `ticks of ${path}`;

const ticksOf = (plan: string): string =>
  sha256(
    JSON.stringify(
      planBoxes(plan)
        .filter(({ ticked }) => ticked)
        .map(boxKey),
    ),
  );

const rememberTicks = ({ cli, world, workspace }: SkillRun, path: string, plan: string): void => {
  const at = formatTimestamp(world.clock);
  rememberTrust(cli.env, world, { workspace, name: nameOf(path), sha256: ticksOf(plan), at });
};
