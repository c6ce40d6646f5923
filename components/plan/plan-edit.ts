import { commandText } from '../../src/agents/command-text.ts';
import { formatFault } from '../../src/base/fault.ts';
import { safe } from '../../src/base/safe.ts';
import { planRequest, replaceOption } from '../../src/pipeline/questions/open-questions.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { formatPlan, parsePlan } from '../../src/tasks/plan-file.ts';
import { commandSchema, type TaskDefinition } from '../../src/tasks/task.ts';
import { createEditor } from '../keys/line-editor.ts';
import type { UiState, ViewState } from '../view.ts';
import { planGateOf } from './plan-gate.ts';

/** The text to open in the editor: the unfinished draft, else the plan as a plan file. */
export const planToEdit = ({ session, ui }: ViewState): string =>
  session === null ? '' : (ui.drafts[draftKey(session)] ?? planText(session));

/** Takes the edited plan: shows its problems, or asks for confirmation. */
export const planEdited = (view: ViewState, text: string): ViewState => {
  const { session } = view;
  if (session === null || planGateOf(view) === null) return view;
  const before = parsePlan(planText(session), planFile, session.iteration);
  const after = parsePlan(text, planFile, session.iteration);
  const kept: UiState = { ...view.ui, drafts: { ...view.ui.drafts, [draftKey(session)]: text } };
  if (!after.ok) {
    const [first] = after.faults;
    const more = after.faults.length > 1 ? ` (and ${after.faults.length - 1} more)` : '';
    const what = first === undefined ? 'this is not a plan' : safe(formatFault(first));
    return {
      ...view,
      ui: kept,
      notice: { text: `${what}${more}; {answer.edit-plan} resumes editing`, tone: 'bad' },
    };
  }
  const lines = difference(before.ok ? before.value.tasks : [], after.value.tasks);
  if (lines.length === 0)
    return { ...view, ui: kept, notice: { text: 'No task in the plan was changed.', tone: 'info' } };
  const signal = {
    type: 'ANSWER',
    target: 'ALL',
    request: planRequest,
    option: replaceOption,
    message: text,
    iteration: session.iteration,
  } as const;
  const overlay = {
    kind: 'confirm',
    subject: {
      kind: 'plan',
      lines:
        lines.length <= mostLines
          ? lines
          : [...lines.slice(0, mostLines), `… and ${lines.length - mostLines} more`],
      signal,
    },
    editor: createEditor(),
  } as const;
  return { ...view, notice: null, ui: { ...kept, overlays: [...kept.overlays, overlay] } };
};

const planFile = 'plan.yaml';
const mostLines = 12;

/** A plan that was sent back and made again is a different plan. */
const draftKey = (session: SessionState): string => `plan:${session.gate?.opened ?? ''}`;

const planText = (session: SessionState): string => {
  const tasks = [...session.tasks.values()].filter(({ status }) => status !== 'cancelled');
  const text = formatPlan({
    goal: session.goal,
    tasks: tasks.map(({ definition }) => ({ ...definition, title: definition.title || definition.id })),
    settings: {},
  });
  return `# You can change, add and remove tasks. The goal and the settings stay as they are.\n${text}`;
};

/**
 * `+ docs: Write the docs`, `- load`, `~ service: title, run`: a line for each task that differs. Removed and added values follow it,
 * above all commands.
 */
const difference = (
  before: readonly TaskDefinition[],
  after: readonly TaskDefinition[],
): readonly string[] => {
  const old = new Map(before.map((task) => [task.id, task]));
  const ids = new Set(after.map(({ id }) => id));
  return [
    ...before.filter(({ id }) => !ids.has(id)).map(({ id, title }) => `- ${id}: ${safe(title)}`),
    ...after.flatMap((task) => {
      const known = old.get(task.id);
      if (known === undefined)
        return [
          `+ ${task.id}: ${safe(task.title)}`,
          ...changes('run', [], task.run),
          ...changes('verify', [], task.verify),
        ];
      const fields = changed(known, task);
      if (fields.length === 0) return [];
      const names = fields.map(([field]) => field).join(', ');
      return [`~ ${task.id}: ${names}`, ...fields.flatMap((field) => changes(...field))];
    }),
  ];
};

type Change = readonly [field: string, before: unknown, after: unknown];

const changed = (before: TaskDefinition, after: TaskDefinition): readonly Change[] => {
  const old = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((field): Change => [field, old.get(field), now.get(field)])
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other));
};

const changes = (...[field, before, after]: Change): readonly string[] => {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  return [
    ...old.filter((text) => !now.includes(text)).map((text) => `    - ${field}: ${text}`),
    ...now.filter((text) => !old.includes(text)).map((text) => `    + ${field}: ${text}`),
  ];
};

const itemsOf = (value: unknown): readonly string[] => {
  if (value === undefined || value === null || value === '') return [];
  return (Array.isArray(value) ? value : [value]).map(textOf);
};

const textOf = (value: unknown): string => {
  const command = commandSchema.safeParse(value);
  if (typeof value === 'string' || !command.success)
    return safe(typeof value === 'string' ? value : JSON.stringify(value));
  const { cmd, ...more } = command.data;
  return safe(`${commandText({ cmd })}${Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : ''}`);
};
