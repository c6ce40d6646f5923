/** A criterion of a phase as a checkbox. */
export interface PlanBox {
  /** The phase's heading, such as `Phase 1: Store`. */
  readonly phase: string;
  /** Only a person ticks a manual one. */
  readonly manual: boolean;
  readonly text: string;
  readonly ticked: boolean;
  /** The line of the plan, from 0. */
  readonly line: number;
}

/** The checkboxes of a plan's phases, in order. One below a line with the word "manual" is manual, up to a line with "automated". */
export const planBoxes = (plan: string): readonly PlanBox[] => {
  const boxes: PlanBox[] = [];
  let phase = '';
  let manual = false;
  for (const [line, text] of plan.split('\n').entries()) {
    const heading = /^##[ \t]+(.+?)[ \t]*$/.exec(text)?.[1];
    const [, mark, words = ''] = /^\s*[-*] \[([ xX])\] (.+)$/.exec(text) ?? [];
    if (heading !== undefined) {
      phase = /^Phase \d+\b/.test(heading) ? heading : '';
      manual = false;
    } else if (mark === undefined) {
      if (/\bmanual\b/i.test(text)) manual = true;
      if (/\bautomated\b/i.test(text)) manual = false;
    } else if (phase !== '') boxes.push({ phase, manual, text: words.trim(), ticked: mark !== ' ', line });
  }
  return boxes;
};

/** The phase with the first open box; `null` when all are ticked. */
export const openPhase = (plan: string): string | null =>
  planBoxes(plan).find(({ ticked }) => !ticked)?.phase ?? null;

/** The plan as an agent hands it in, with every manual box as a person left it: an agent ticks automated ones only. */
export const withOwnTicks = (plan: string, before: string): string => {
  const ticked = new Set(
    planBoxes(before)
      .filter((box) => box.manual && box.ticked)
      .map(keyOf),
  );
  return setBoxes(plan, (box) => (box.manual ? ticked.has(keyOf(box)) : box.ticked));
};

/** The plan with the manual boxes of a phase that a person saw, by their words. */
export const tickManual = (plan: string, phase: string, texts: readonly string[]): string =>
  setBoxes(plan, (box) => box.ticked || (box.manual && box.phase === phase && texts.includes(box.text)));

const keyOf = ({ phase, text }: PlanBox): string => JSON.stringify([phase, text]);

const setBoxes = (plan: string, wanted: (box: PlanBox) => boolean): string => {
  const lines = plan.split('\n');
  for (const box of planBoxes(plan))
    lines[box.line] = (lines[box.line] ?? '').replace(/\[[ xX]\]/, wanted(box) ? '[x]' : '[ ]');
  return lines.join('\n');
};
