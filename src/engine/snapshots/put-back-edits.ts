import { sha256 } from '../../base/hash.io.ts';
import { openQuestion } from '../../pipeline/questions/open-questions.ts';
import type { Core } from '../core.ts';
import { adoptEdit, type ForeignEdit } from './adopt-edit.ts';
import { nameIn } from './edit-conflict.ts';

/**
 * Edits of session files that were put back because an agent with a model worked. A person is asked whether the edit was theirs (src/signals/README.md, rule 13).
 * The texts stay in memory: an agent could rewrite the kept copy between the question and the answer. So the question ends with its program.
 */
export interface PutBackEdits {
  /** Asks about an edit that was just put back. Takes the place of an open question about the same file. */
  ask(edit: ForeignEdit): void;
  /** The file changed again: an open question about it is answered with `keep`. */
  withdraw(path: string): void;
  /**
   * Adopts the marks or keys of the edit, as between turns. Words that the edit added to the file stay in the kept text only. Does nothing for a
   * question that another one replaced.
   */
  take(request: string): void;
}

export const createPutBackEdits = (core: Core): PutBackEdits => {
  const { loop } = core;
  /** By path: at most one per file. */
  const asked = new Map<string, ForeignEdit & { readonly request: string }>();

  const withdraw = (path: string): void => {
    const request = asked.get(path)?.request;
    asked.delete(path);
    if (request === undefined || openQuestion(loop.state(), request) === null) return;
    const by = 'Ralph-v2-Orchestrator';
    loop.commit({ type: 'question.answered', request, option: 'keep', answer: 'keep', by, signal: null });
  };

  return {
    withdraw,
    ask: (edit) => {
      withdraw(edit.path);
      const name = nameIn(core, edit.path);
      // By the texts: an answer to another edit, or to one of an earlier program, takes nothing.
      const request = `edit:${name}:${sha256(`${edit.base}\0${edit.theirs}`).slice(0, 8)}`;
      asked.set(edit.path, { ...edit, request });
      const lines = differingLines(edit.base, edit.theirs);
      loop.commit({
        type: 'question.asked',
        request,
        kind: 'edit',
        text: `${name} was edited while an agent was working (${lines === 1 ? '1 line differs' : `${lines} lines differ`}). Was it you?`,
        options: [
          { id: 'keep', label: "keep the session's version" },
          { id: 'take', label: 'it was me: keep the edit' },
        ],
        invocation: null,
      });
    },
    take: (request) => {
      const edit = [...asked.values()].find((each) => each.request === request);
      if (edit === undefined) return;
      asked.delete(edit.path);
      adoptEdit(core, edit);
    },
  };
};

/** Lines that only one of the texts has; a changed line counts once. */
const differingLines = (before: string, after: string): number => {
  const balance = new Map<string, number>();
  for (const line of before.split('\n')) balance.set(line, (balance.get(line) ?? 0) - 1);
  for (const line of after.split('\n')) balance.set(line, (balance.get(line) ?? 0) + 1);
  const counts = [...balance.values()];
  const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
  return Math.max(sum(counts.filter((each) => each > 0)), -sum(counts.filter((each) => each < 0)));
};
