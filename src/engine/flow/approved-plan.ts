import { dirname, join } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import type { ApprovedPlan } from '../../pipeline/modes/flow/flow-state.ts';
import type { Listed } from '../../pipeline/modes/flow/flow-tasks.ts';
import type { Core } from '../core.ts';
import type { FlowContext } from './flow-context.ts';

/** Keeps the plan that a review judged as it is now, in the session. `null`: it is no file of the workspace. */
export const keepApproved = ({ core }: FlowContext, { listed, work }: Listed): ApprovedPlan | null => {
  const document = work.result?.phase === 'review' ? work.result.plan_path : undefined;
  const text = document === undefined ? null : documentText(core, document);
  if (document === undefined || text === null) return null;
  const { disk, random, paths } = core.options;
  const copy = `iterations/${core.loop.state().iteration}/documents/${listed.id}-approved.md`;
  disk.mkdir(dirname(join(paths.directory, copy)));
  replaceFile(disk, random, join(paths.directory, copy), text);
  return { document, copy, hash: sha256(text) };
};

/**
 * The text of a document for an agent. Of a plan that was approved here it is the approved text, whatever is in the workspace by now: that is named.
 * `null`: it cannot be read, or nothing shows any more what was approved.
 */
export const textForAgent = (core: Core, location: string): string | null => {
  const text = documentText(core, location);
  const works = core.loop.state().flow?.works ?? new Map();
  const approved = [...works.values()].findLast((work) => work.approved?.document === location)?.approved;
  if (approved == null || (text !== null && sha256(text) === approved.hash)) return text;
  const { disk, paths } = core.options;
  const kept = readText(disk, join(paths.directory, approved.copy));
  const isWhole = kept !== null && sha256(kept) === approved.hash;
  // The pull request took it to its branch.
  if (text === null && isWhole) return kept;
  core.loop.run(() =>
    core.problem({
      code: 'plan-changed',
      what: `${location} was changed after it was approved: ${isWhole ? 'agents still get the approved text' : 'no agent gets the plan, because the approved text is lost'}`,
      hint: isWhole ? `it is kept in ${join(paths.directory, approved.copy)}` : 'plan the work again',
    }),
  );
  return isWhole ? kept : null;
};

const documentText = ({ options: { disk, paths } }: Core, location: string): string | null => {
  try {
    return readText(disk, join(paths.workspace, location));
  } catch {
    // A link or a file that is too large is no document.
    return null;
  }
};
