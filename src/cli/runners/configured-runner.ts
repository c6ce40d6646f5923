import type { Fault } from '../../base/fault.ts';
import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';
import { valueOrExit } from '../cli.ts';

/** The entry of this name in the configuration. Without one the program ends with a usage error. */
export const configuredRunner = (name: string, settings: Pick<Settings, 'runners'>): RunnerSettings => {
  const entry = Object.hasOwn(settings.runners, name) ? settings.runners[name] : undefined;
  return entry ?? valueOrExit({ ok: false, faults: [unknownRunner(name, settings)] });
};

/** `others`: further names that count where this one was written. */
export const unknownRunner = (
  name: string,
  { runners }: Pick<Settings, 'runners'>,
  others: readonly string[] = [],
): Fault => ({
  code: 'unknown-runner',
  what: `unknown runner "${name}"`,
  hint:
    Object.keys(runners).length === 0
      ? 'name one in the configuration: runners: {gpu: {ssh: ALIAS}}'
      : `known: ${[...Object.keys(runners), ...others].join(', ')}`,
});
