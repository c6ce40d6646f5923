import { useSyncExternalStore } from 'react';
import type { Store } from '../components/create-store.ts';
import type { ViewState } from '../components/view.ts';

/** The current view. Renders again on each change of the store (streams at 10 Hz, keys at once). */
export const useView = (store: Store): ViewState => useSyncExternalStore(store.subscribe, store.getState);
