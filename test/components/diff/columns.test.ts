import { expect, test } from 'vitest';
import { wantedColumns } from '../../../components/changes/select-window.ts';
import { createStore } from '../../../components/create-store.ts';
import { evolve } from '../../../src/pipeline/evolve.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import { createManualClock } from '../../helpers/manual-clock.ts';

test('Changes begin in the columns of `ui.columns`; a key turns them on this screen', () => {
  const opened = (columns: 'one' | 'two') => {
    const preferences = { ...defaultSettings.ui, columns };
    const store = createStore({ clock: createManualClock(), evolve, connection: 'live', preferences });
    return store;
  };
  expect(wantedColumns(opened('two').getState())).toBe('two');
  const store = opened('one');
  expect(wantedColumns(store.getState())).toBe('one');
  store.act({ type: 'columns-turned' });
  expect(wantedColumns(store.getState())).toBe('two');
});
