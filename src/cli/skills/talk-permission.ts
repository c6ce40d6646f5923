import { askWords, type PermissionAnswer, type PermissionAsk } from '../../agents/permissions.ts';
import { visibleLines } from '../../base/safe.ts';
import { ask, type Question } from '../../session/forms/question.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import type { SkillRun } from './skill-run.ts';

/** Asks the person whether the agent may do this once. Everything that the person has to judge is in sight, and no answer is offered. */
export const permissionQuestion = async (
  run: SkillRun,
  asked: PermissionAsk,
  over: AbortSignal,
): Promise<PermissionAnswer> => {
  const question = ({ turns }: Talk): Question =>
    ask(`allow-${turns.length}`, 'choice', questions[asked.kind], {
      help: factsOf(asked).join('\n'),
      options: [
        { id: 'allow', label: 'yes, once', detail: '' },
        { id: 'refuse', label: 'no', detail: '' },
      ],
    });
  return (await run.ask(question, { over, means: 'refuse' })) === 'allow' ? 'allow' : 'refuse';
};

const questions: Readonly<Record<PermissionAsk['kind'], string>> = {
  read: 'May the agent read this?',
  edit: 'May the agent change this?',
  command: 'May the agent run this?',
  network: 'May the agent use the network for this?',
  mode: 'May the agent change its mode?',
  other: 'May the agent do this?',
  'task-file': 'May the edited commands run?',
};

/** Paths in the agent's directory are shown without it. */
const factsOf = (asked: PermissionAsk): readonly string[] => {
  const named = (path: string): string =>
    path.startsWith(`${asked.root}/`) ? path.slice(asked.root.length + 1) : path;
  return [
    ...visibleLines(askWords(asked)),
    `in ${asked.command === null ? asked.root : asked.directory}`,
    ...asked.paths.map((path) => `file ${named(path)}`),
    ...asked.notes,
    ...asked.diffs.flatMap(({ path, before, after }) => [
      `── ${named(path)}`,
      ...visibleLines(before).flatMap((line) => (before === '' ? [] : [`- ${line}`])),
      ...visibleLines(after).flatMap((line) => (after === '' ? [] : [`+ ${line}`])),
    ]),
  ];
};
