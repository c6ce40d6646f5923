import { join } from 'node:path';
import { readText } from '../../../base/replace-file.ts';
import { sessionPaths } from '../../../session/paths.ts';
import { parseQuestions, questionCategories } from '../../../session/questions.ts';
import type { AskedQuestion } from '../../answers.ts';
import { answered, type ScriptContext, type ScriptTurn } from './script-turn.ts';

/** All questions of the iteration, read from its files. */
export const readQuestions = ({ brief, disk }: ScriptContext): readonly AskedQuestion[] => {
  const directory = sessionPaths(brief.workspace, brief.session).iteration(brief.iteration).questions;
  return questionCategories.flatMap((category) => {
    const file = join(directory, `${category}.md`);
    const text = readText(disk, file);
    if (text === null) return [];
    return parseQuestions(text, file).value.questions.map((one) => ({ ...one, category }));
  });
};

export const openQuestions: ScriptTurn = async (context) => answered({ questions: readQuestions(context) });
