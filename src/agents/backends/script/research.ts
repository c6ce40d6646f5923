import { resolve } from 'node:path';
import { z } from 'zod';
import { DiskError } from '../../../base/disk.ts';
import { fromJson } from '../../../base/json.ts';
import { readText } from '../../../base/replace-file.ts';
import { namesTask } from '../../../session/feedback-work.ts';
import { type AskedQuestion, askedQuestionSchema, type ResearchAnswer } from '../../answers.ts';
import { isInside } from './file-marks.ts';
import { mentions } from './mentions.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/**
 * Answers questions from the repository, with evidence: whether a named file exists, its size, its mentions, and the repository's own checks. Other
 * questions stay open.
 */
export const research: ScriptTurn = async (context, ask) => {
  const { question } = researchDataSchema.parse(ask.data);
  return answered(look(context, question, false));
};

/** The same for an issue of the feedback. Such an issue is always critical, and the tasks it names count as evidence too. */
export const analyse: ScriptTurn = async (context, ask) => {
  const { question } = researchDataSchema.parse(ask.data);
  const text = `${question.question} ${question.impact}`;
  const named = context.brief.tasks.filter(({ definition }) => namesTask(text, definition.id));
  const found = look(context, { ...question, question: text }, true);
  const tasks = named.map(({ definition, status }) => `${definition.id} is ${status} and is reopened.`);
  const answer = [...tasks, found.answer].filter((part) => part !== '').join(' ');
  return answered({
    ...found,
    answer: answer || 'The repository does not answer this; it becomes a separate task.',
    critical: true,
  });
};

const researchDataSchema = z.object({ question: askedQuestionSchema });

const look = (context: ScriptContext, question: AskedQuestion, loose: boolean): ResearchAnswer => {
  const names = namesIn(question.question, loose).filter((name) => isInside(context.brief.workspace, name));
  const seen = names.map((name) => lookFor(context, name));
  const checks = /verify command|success criteria/u.test(question.question) ? ownChecks(context) : null;
  const parts = [...seen, ...(checks ? [checks] : [])].filter((one) => one.answer !== '');
  return {
    answer: parts.map((one) => one.answer).join(' '),
    source: parts.map((one) => one.source).join('; '),
    confidence: parts.length === 0 ? '' : 'high',
    critical: false,
  };
};

interface Seen {
  readonly answer: string;
  readonly source: string;
}

const lookFor = (context: ScriptContext, name: string): Seen => {
  const { brief, disk } = context;
  const stat = disk.lstat(resolve(brief.workspace, name));
  const places = mentions(disk, brief.workspace, name);
  const where = places.length === 0 ? 'nothing mentions it' : `mentioned in ${places.join(', ')}`;
  if (stat) {
    const what = stat.kind === 'file' ? `${stat.size} bytes` : `a ${stat.kind}`;
    return { answer: `${name} exists (${what}).`, source: `${name}; ${where}` };
  }
  // The question itself says that the file is missing; only a mention adds something.
  if (places.length === 0) return { answer: '', source: '' };
  return { answer: `${name} does not exist but is ${where}.`, source: places.join(', ') };
};

/** The text of a file of the workspace; empty where it cannot be read: no answer stands there then. */
const textIn = ({ brief, disk }: ScriptContext, name: string): string => {
  try {
    return readText(disk, resolve(brief.workspace, name)) ?? '';
  } catch (error) {
    if (error instanceof DiskError) return '';
    throw error;
  }
};

/** The repository's own checks. */
const ownChecks = (context: ScriptContext): Seen => {
  const scripts = packageSchema.safeParse(fromJson(textIn(context, 'package.json')));
  const test = scripts.success ? scripts.data.scripts['test'] : undefined;
  if (test !== undefined) {
    return { answer: `package.json has a test script: \`${test}\`.`, source: 'package.json, scripts.test' };
  }
  const makefile = textIn(context, 'Makefile');
  return /^(?:test|check):/mu.test(makefile)
    ? { answer: 'The Makefile has a target for it.', source: 'Makefile' }
    : { answer: '', source: '' };
};

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

/** Names between backticks. With `loose` also names without them, as people write in feedback. */
const namesIn = (text: string, loose: boolean): readonly string[] => {
  const ticked = [...text.matchAll(/`([^`\s]+)`/gu)].map((match) => match[1] ?? '');
  const bare = loose
    ? (text.match(/(?<![\w/.-])(?:[\w.-]+\/)*[\w.-]*\w\.[A-Za-z]{1,5}(?![\w-]|\.\w)/gu) ?? [])
    : [];
  return [...new Set([...ticked, ...bare])].slice(0, 5);
};
