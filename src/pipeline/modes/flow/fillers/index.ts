import type { FlowStart } from '../flow-state.ts';
import type { SlotFiller } from './filler.ts';
import { fresh } from './fresh.ts';
import { team } from './team.ts';

/** All that hero and team differ in: who fills a free slot. */
export const fillers: Readonly<Record<FlowStart['fill'], SlotFiller>> = { fresh, team };
