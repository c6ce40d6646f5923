import type { CreateGuard } from './guard.ts';

/** The screen says at every event what happens, or what it waits for and why. */
export const guardNowLine: CreateGuard = ({ say, live, now }) => {
  const check = (seq: number): void => {
    if (now(live()).trim() === '') say(`event ${seq}: the now line is empty`);
  };
  return { see: (event) => check(event.seq), look: (state) => check(state.seq) };
};
