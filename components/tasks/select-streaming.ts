import { selectPreferences } from '../ports/select-preferences.ts';
import type { ViewState } from '../view.ts';
import { outputKey } from './output-key.ts';

/** A spinner turns four times a second. */
export const spinnerMs = 250;

/** Output this old does not stream. */
const pauseMs = 1_000;

/** The tasks whose agent or command wrote output within the last second. Empty where motion is switched off. */
export const selectStreaming = (view: ViewState, nowMs: number): ReadonlySet<string> => {
  const { session, connection, output } = view;
  const streaming = new Set<string>();
  if (session?.running !== true || connection === 'stopped' || !selectPreferences(view).motion)
    return streaming;
  for (const { stage, task, attempt } of session.invocations.values()) {
    if (stage !== 'running' || task === null) continue;
    const log = output.logs.get(outputKey(task, attempt));
    if (log !== undefined && nowMs - Date.parse(log.at) < pauseMs) streaming.add(task);
  }
  return streaming;
};
