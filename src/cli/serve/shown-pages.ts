import { changesRef } from '../../../components/changes/select-changes.ts';
import { safe, safeBlock } from '../../base/safe.ts';
import { type PageTask, pageTasks } from '../../page/model/page-task.ts';
import { stepsOf } from '../../page/model/steps.ts';
import { openQuestion } from '../../pipeline/questions/open-questions.ts';
import type { Viewer } from '../../serve/render/layout.tsx';
import { planPage } from '../../serve/render/plan-page.tsx';
import type { Seen } from '../../serve/render/sections.tsx';
import { taskPage } from '../../serve/render/task-page.tsx';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { createViewerPort } from '../session/viewer-port.ts';
import type { World } from '../world.ts';

interface Place {
  readonly env: Cli['env'];
  readonly world: World;
  readonly paths: SessionPaths;
  readonly root: string;
}

/** How much of one task a page shows. */
const limits = { steps: 200, linesOfFile: 600, linesInAll: 3_000 };
const nothing = { diffs: new Map(), outputs: new Map(), reports: new Map() };

/** The page of one task; `null`: the session has no such task. */
export const showTask = async (
  place: Place,
  seen: Seen,
  viewer: Viewer,
  id: string,
): Promise<string | null> => {
  const { session, attempts } = seen.view;
  const task = session?.tasks.get(id);
  if (session === null || task === undefined) return null;
  const viewers = createViewerPort(place.world, place.paths, place.env);
  const { files, diff, missing } = await viewers.readChanges(changesRef(session, attempts, id));
  const { attempt, iteration } = task;
  const report = attempt === 0 ? null : await viewers.readReport({ task: id, iteration, attempt });
  const source = {
    ...nothing,
    diffs: new Map([[id, { files, diff, missing }]]),
    reports: new Map(report === null ? [] : [[id, report]]),
  };
  const shown = pageTasks(seen.view, source, stepsOf(seen.events), limits).find(
    (each) => each.id === safe(id),
  );
  const { offset } = seen.now;
  return shown === undefined
    ? null
    : taskPage({ ...place, base: seen.base, session, viewer, offset }, id, shown);
};

/** The page of a plan that waits; `null`: no such plan waits. */
export const showPlan = async (
  place: Place,
  seen: Seen,
  viewer: Viewer,
  request: string,
): Promise<string | null> => {
  const { session } = seen.view;
  const question = session === null ? null : openQuestion(session, request);
  if (session === null || question === null) return null;
  const shown = { ...place, base: seen.base, session, viewer };
  if (question.kind === 'plan') return planPage(shown, question, { kind: 'tasks', tasks: tasksOf(seen) });
  const { document, critique } = question;
  if (document === undefined) return null;
  const viewers = createViewerPort(place.world, place.paths, place.env);
  const text = await viewers.readDocument(document);
  const against = critique === undefined ? null : await viewers.readDocument(critique);
  return planPage(shown, question, {
    kind: 'lines',
    lines: safeBlock(text ?? 'This document cannot be read.').split('\n'),
    critique: against === null ? null : safeBlock(against),
  });
};

const tasksOf = (seen: Seen): readonly PageTask[] => pageTasks(seen.view, nothing, stepsOf([]), limits);
