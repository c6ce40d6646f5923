import { bind } from '../../../components/keys/bindings.ts';
import type { Fault } from '../../base/fault.ts';
import { formatOrigin, type Layer, resolveSettings } from '../../session/config.ts';

/** Faults of the configured keys, each with its file. */
export const keyFaults = (layers: readonly Layer[]): readonly Fault[] => {
  const { settings, origins } = resolveSettings(layers);
  const origin = origins.get('ui.keys');
  return bind(settings.ui.keys).problems.map((what) => ({
    code: 'ui-keys',
    what,
    ...(origin ? { where: formatOrigin(origin) } : {}),
    hint: 'choose another key; `ralph-tui help keys` lists them all',
  }));
};
