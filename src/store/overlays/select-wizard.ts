import { safe } from '../../base/safe.ts';
import { listed, resultLines } from '../../session/guidance/wizard-choices.ts';
import { wrap } from '../../words/width.ts';
import { overlayRows } from '../text/page.ts';
import { stepsOf, type WizardOverlay, wizardItems, wizardResultOf } from './wizard.ts';

/** Columns of the wizard's frame on a screen of `columns` columns. */
export const wizardWidth = (columns: number): number => Math.min(100, columns - 4);

/** Rows for the list or text of a step. The others show the detail under the cursor and the place in the wizard. */
export const wizardRoom = (rows: number): number => Math.max(2, overlayRows(rows) - 5);

/** The question of the present step. */
export const wizardQuestion = ({ step, offers }: WizardOverlay): string => {
  switch (step) {
    case 'preset':
      return 'How long may the loop run?';
    case 'stored':
      return offers.foreign ? 'This guidance came with the repository' : 'There is guidance already';
    case 'avoid':
      return offers.question;
    case 'avoid-words':
      return 'Anything else to avoid?';
    case 'prefer':
      return 'What should the agents prefer?';
    case 'prefer-words':
      return 'Anything else to prefer?';
    case 'result':
      return 'Save this guidance?';
  }
};

/** `Step 2 of 6` */
export const wizardPlace = ({ step, offers }: WizardOverlay): string => {
  const steps = stepsOf(offers);
  return `Step ${steps.indexOf(step) + 1} of ${steps.length}`;
};

/** `3 to avoid, 1 to prefer, saved 3 h ago` */
export const storedSummary = ({ offers: { stored, age, foreign } }: WizardOverlay): string =>
  [
    `${stored.forbidden.length} to avoid`,
    `${stored.encouraged.length} to prefer`,
    ...(foreign ? ['does not count until you accept it'] : age === null ? [] : [`saved ${age}`]),
  ].join(', ');

/** The stored items, one or more lines each. */
export const storedLines = ({ offers: { stored } }: WizardOverlay, columns: number): readonly string[] =>
  itemLines([...listed('Avoid', stored.forbidden), ...listed('Prefer', stored.encouraged)], columns);

/** The result page. */
export const selectWizardResult = (overlay: WizardOverlay, columns: number): readonly string[] =>
  itemLines(resultLines(wizardResultOf(overlay)), columns);

const itemLines = (lines: readonly string[], columns: number): readonly string[] =>
  lines.flatMap((line) => {
    const indent = line.startsWith(' ') ? '  ' : '';
    const rows = wrap(safe(line).trim(), wizardWidth(columns) - 4 - 2 * indent.length);
    return rows.map((row, index) => (index === 0 ? indent : indent + indent) + row);
  });

/** How far the cursor of the present step moves: items, or first lines of the result. */
export const wizardLength = (
  overlay: WizardOverlay,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): number =>
  overlay.step === 'result'
    ? Math.max(1, selectWizardResult(overlay, columns).length - wizardRoom(rows) + 1)
    : wizardItems(overlay).length;
