import { commandInFull } from '../../src/agents/command-text.ts';
import { type Fault, formatFault } from '../../src/base/fault.ts';
import { isRecord } from '../../src/base/json.ts';
import { safe } from '../../src/base/safe.ts';
import {
  commandsSchema,
  commandsText,
  formatCommand,
  sameCommands,
  type TaskCommands,
} from '../../src/tasks/commands.ts';
import { formatDuration } from '../../src/tasks/duration.ts';
import { checkValue } from '../../src/tasks/schema-faults.ts';
import type { Command, TaskDefinition } from '../../src/tasks/task.ts';
import { formatYaml } from '../../src/tasks/yaml-edit.ts';
import { parseYaml } from '../../src/tasks/yaml-text.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';

/** The task that the open composer retries, or `null`. */
export const retriedTask = ({ session, ui }: ViewState): TaskDefinition | null => {
  const top = ui.overlays.at(-1);
  if (top?.kind !== 'compose' || top.type !== 'RETRY' || top.editing !== undefined) return null;
  return session?.tasks.get(top.recipient.task ?? '')?.definition ?? null;
};

/** The text to open in the editor: what was typed here before, else the commands as planned. */
export const commandsToEdit = (view: ViewState): string => {
  const task = retriedTask(view);
  if (task === null) return '';
  return (
    view.ui.drafts[draftKey(task.id)] ??
    `# The commands of ${task.id}. The retry runs them as saved here.\n${formOf(task)}`
  );
};

/** Takes the edited commands into the composer, whose Enter sends them with the retry, or names what is wrong with them. */
export const commandsEdited = (view: ViewState, text: string): ViewState => {
  const task = retriedTask(view);
  if (task === null) return view;
  const drafted = withUi(view, { drafts: { ...view.ui.drafts, [draftKey(task.id)]: text } });
  const read = parseCommands(text, task);
  if ('code' in read)
    return {
      ...drafted,
      notice: { text: `${safe(formatFault(read))}; {write.commands} resumes editing`, tone: 'bad' },
    };
  const same = sameCommands(read, task);
  return {
    ...withUi(drafted, {
      overlays: drafted.ui.overlays.map((overlay, index, { length }) => {
        if (overlay.kind !== 'compose' || index !== length - 1) return overlay;
        const { commands: _before, ...rest } = overlay;
        return same ? rest : { ...rest, commands: read };
      }),
    }),
    notice: same ? { text: 'No command was changed.', tone: 'info' } : null,
  };
};

/** The commands of a retry on screen: as planned, or with the edit. `-` and `+` mark what changes. */
export const commandLines = (task: TaskDefinition, edited: TaskCommands | undefined): readonly string[] =>
  (['run', 'verify', 'on_steer'] as const).flatMap((name) => {
    const [before, after] = [task[name] ?? [], (edited ?? task)[name] ?? []];
    if (commandsText(before) === commandsText(after))
      return name === 'run' ? before.map((command) => `  ${safe(commandInFull(command))}`) : [];
    return [
      ...before.map((each) => `- ${withOptions(each)}`),
      ...after.map((each) => `+ ${withOptions(each)}`),
    ];
  });

/** The command with every option that an edit can change. */
const withOptions = (command: Command): string => {
  const { timeout_ms, shows } = command;
  return safe(
    [
      commandInFull(command),
      ...(timeout_ms === undefined ? [] : [`timeout ${formatDuration(timeout_ms)}`]),
      ...(shows === undefined ? [] : [`shows: ${shows.join('; ')}`]),
    ].join(' · '),
  );
};

const draftKey = (task: string): string => `commands:${task}`;

const formOf = ({ run, verify, on_steer }: TaskCommands): string =>
  formatYaml({
    run: run.map(formatCommand),
    ...(verify.length > 0 ? { verify: verify.map(formatCommand) } : {}),
    ...(on_steer === null ? {} : { on_steer: on_steer.map(formatCommand) }),
  });

const file = 'commands.yaml';

const parseCommands = (text: string, task: TaskCommands): TaskCommands | Fault => {
  const { value: yaml, problems } = parseYaml(text, file);
  const [problem] = problems;
  if (problem !== undefined) return problem;
  const data = yaml.value ?? {};
  if (!isRecord(data)) return { code: 'commands', what: 'must be a map with `run`', where: file };
  const lists = new Map<string, TaskDefinition['run']>();
  for (const [key, value] of Object.entries(data)) {
    if (key !== 'run' && key !== 'verify' && key !== 'on_steer')
      return {
        code: 'commands',
        what: `unknown key "${key}": only run, verify and on_steer are allowed`,
        where: file,
      };
    const checked = checkValue(commandsSchema, value ?? [], { file, line: yaml.line }, 'commands', [key]);
    const [fault] = checked.ok ? [] : checked.faults;
    if (fault !== undefined) return fault;
    if (checked.ok) lists.set(key, checked.value);
  }
  return {
    run: lists.get('run') ?? [],
    verify: lists.get('verify') ?? [],
    on_steer: lists.get('on_steer') ?? (task.on_steer === null ? null : []),
  };
};
