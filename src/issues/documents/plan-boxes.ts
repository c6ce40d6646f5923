import { checkBoxes, withTicks } from '../../tasks/check-boxes.ts';
import { bare, splitLines } from '../../tasks/sections.ts';

/** A criterion of a phase as a checkbox. */
interface PlanBox {
  /** The phase's heading, such as `Phase 1: Store`. */
  readonly phase: string;
  /** Only a person ticks a manual one. */
  readonly manual: boolean;
  readonly text: string;
  /** What shows an automated criterion: its first words in backticks. `null`: no program can check it, so a person does. */
  readonly command: string | null;
  readonly ticked: boolean;
  /** The line of the plan, from 0. */
  readonly line: number;
}

/** The checkboxes of a plan's phases, in order. One below a line with the word "manual" is manual, up to a line that says "automated" alone. */
export const planBoxes = (plan: string): readonly PlanBox[] => {
  const found = new Map(checkBoxes(plan).flatMap((box) => (box.leads ? [[box.line, box]] : [])));
  const boxes: PlanBox[] = [];
  let phase = '';
  let manual = false;
  for (const [line, raw] of splitLines(plan).entries()) {
    const heading = /^##[ \t]+(.+?)[ \t]*$/.exec(bare(raw))?.[1];
    const box = found.get(line);
    if (heading !== undefined) {
      phase = /^Phase \d+\b/.test(heading) ? heading : '';
      manual = false;
    } else if (box === undefined) {
      if (/\bmanual\b/i.test(raw)) manual = true;
      else if (/\bautomated\b/i.test(raw)) manual = false;
    } else if (phase !== '') {
      const command = manual ? null : (/`([^`]+)`/.exec(box.text)?.[1]?.trim() ?? null);
      boxes.push({ phase, manual, text: box.text, command, ticked: box.done, line });
    }
  }
  return boxes;
};

/** The phases of a plan with boxes, in order. */
export const planPhases = (plan: string): readonly string[] => [
  ...new Set(planBoxes(plan).map(({ phase }) => phase)),
];

/** The phase with the first open box; `null` when all are ticked. */
export const openPhase = (plan: string): string | null =>
  planBoxes(plan).find(({ ticked }) => !ticked)?.phase ?? null;

/** The plan with the ticks of another version of it, and no others. A criterion whose words changed is open again. */
export const withTicksOf = (plan: string, before: string): string => {
  const ticked = new Set(
    planBoxes(before)
      .filter((box) => box.ticked)
      .map(boxKey),
  );
  return setBoxes(plan, (box) => ticked.has(boxKey(box)));
};

/** The plan in which a person ticked what was seen of a phase: criteria that no command shows, by their words. */
export const tickSeen = (plan: string, phase: string, texts: readonly string[]): string =>
  setBoxes(
    plan,
    (box) => box.ticked || (box.command === null && box.phase === phase && texts.includes(box.text)),
  );

/** The plan in which the automated boxes of a phase are ticked by these commands, and open for every other one. */
export const tickChecked = (plan: string, phase: string, passed: ReadonlySet<string>): string =>
  setBoxes(plan, (box) =>
    box.phase === phase && box.command !== null ? passed.has(box.command) : box.ticked,
  );

/** A box by its words and its place, whatever its line. */
export const boxKey = ({ phase, manual, text }: PlanBox): string => JSON.stringify([phase, manual, text]);

const setBoxes = (plan: string, wanted: (box: PlanBox) => boolean): string => {
  const ticks = new Map(planBoxes(plan).map((box) => [box.line, wanted(box)]));
  return withTicks(plan, ({ line, leads, done }) => (leads ? ticks.get(line) : undefined) ?? done);
};
