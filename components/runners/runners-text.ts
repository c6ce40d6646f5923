import { safe } from '../../src/base/safe.ts';
import { placesFor } from '../../src/pipeline/agents/placement.ts';
import type { Invocation, SessionState } from '../../src/pipeline/state.ts';
import { count, formatSince, formatTimeOfDay, type LocalTime } from '../../src/words/local-time.ts';
import { gapsOf, machineWords, placeWords } from '../tasks/select-runners.ts';
import { selectStanding } from '../tasks/select-tasks.ts';

/** The runners of a session: those of its configuration, then those that were taken out of it. */
export const runnerNames = (session: SessionState | null): readonly string[] =>
  session === null ? [] : [...new Set([...Object.keys(session.settings.runners), ...session.runners.keys()])];

/** A heading for each runner, and indented below it what it is, what it has, what works there and what waits for it. */
export const selectRunnerLines = (session: SessionState | null, now: LocalTime): readonly string[] =>
  session === null
    ? []
    : runnerNames(session).flatMap((name, index) => [
        ...(index === 0 ? [] : ['']),
        safe(name),
        ...linesOf(session, name, now).map((line) => `  ${safe(line)}`),
      ]);

const linesOf = (session: SessionState, name: string, now: LocalTime): readonly string[] => {
  const state = session.runners.get(name);
  const at = (time: string): string => formatTimeOfDay(Date.parse(time), now);
  const works = [...session.invocations.values()].filter(
    ({ runner, stage }) => runner === name && stage === 'running',
  );
  const waits = waitingFor(session, name);
  return [
    placeWords(session, name).join(' · '),
    ...(state?.lost
      ? [
          `unreachable since ${at(state.lost.since)}: ${state.lost.why}; its agents keep working until ${at(state.lost.stopsAt)}`,
        ]
      : []),
    ...(state?.described && state.reachedAt !== null
      ? [
          `${state.described.program} · Node ${state.described.node} · ${count(state.described.cores, 'core')}`,
          [`reached ${at(state.reachedAt)}`, ...machineWords(state)].join(' · '),
        ]
      : ['not connected yet: connects when first given work']),
    ...(works.length === 0 ? [] : [`working: ${works.map((each) => workWords(each, now)).join(', ')}`]),
    ...(waits.length === 0 ? [] : [`waiting for this runner: ${waits.join(', ')}`]),
    ...gapsOf(session.settings, name).map(({ text }) => `not restricted: ${text}`),
    ...(state?.late ?? []).map((ref) => `late work, not merged: ${ref}`),
  ];
};

/** "build (gemini)"; in a pool with its runner and how long it has it: "build (gemini, runner 7 for 2 min)". */
const workWords = ({ task, backend, claim }: Invocation, now: LocalTime): string => {
  const lease = claim === null ? '' : `, runner ${claim.number} for ${formatSince(claim.at, now)}`;
  return `${task ?? ''} (${backend}${lease})`.trim();
};

/** The ready tasks that may be worked on there and are not worked on yet. */
const waitingFor = (session: SessionState, name: string): readonly string[] => {
  const { settings, tasks, invocations } = session;
  const begun = new Set(
    [...invocations.values()].flatMap(({ task, stage }) => (stage === 'ended' ? [] : (task ?? []))),
  );
  return selectStanding(session).ready.filter((id) => {
    const task = tasks.get(id);
    const agent = task?.definition.agent ?? settings.roles['executor'] ?? 'script';
    return !begun.has(id) && placesFor(session, 'IMPLEMENT', task, agent).includes(name);
  });
};
