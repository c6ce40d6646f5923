import { safe } from '../../base/safe.ts';
import { type Guidance, type GuidanceItem, noGuidance, sameItem } from '../../session/guidance/guidance.ts';
import {
  ownWords,
  type WizardChoices,
  type WizardOption,
  type WizardResult,
  wizardResult,
} from '../../session/guidance/wizard-choices.ts';
import { createEditor, type Editor } from '../text/line-editor.ts';

/** The steps in order (src/discovery/README.md, Wizard). `preset` belongs to a loop, `stored` to a workspace with guidance. */
const wizardSteps = ['preset', 'stored', 'avoid', 'avoid-words', 'prefer', 'prefer-words', 'result'] as const;
export type WizardStep = (typeof wizardSteps)[number];

/** The facts and offers of one wizard, collected before it opens. Texts are safe to show. */
export interface WizardOffers {
  /** Asks for the limits of a loop first. */
  readonly loop: boolean;
  readonly stored: Guidance;
  /** `3 h ago`; `null` if nobody knows. */
  readonly age: string | null;
  /** The stored guidance came with the repository and nobody accepted it. */
  readonly foreign: boolean;
  /** `What should the agents avoid? (2 critical, 5 high detected)` */
  readonly question: string;
  /** By severity, then the kinds of busywork. */
  readonly avoid: readonly WizardOption[];
  readonly prefer: readonly WizardOption[];
}

/** The limits of a loop. `null` keeps the configured ones. */
type WizardPreset = 'production' | 'poc' | 'custom';

/** How a wizard ended: the guidance stays, is accepted as the repository brought it, or is replaced. */
export interface WizardEnd {
  readonly preset: WizardPreset | null;
  readonly guidance: 'kept' | 'accepted' | WizardResult;
}

/** The wizard over the panes. `chosen` and `words` hold the answers so far; `null` is a skipped step, which keeps what is stored. */
export interface WizardOverlay {
  readonly kind: 'wizard';
  readonly offers: WizardOffers;
  readonly step: WizardStep;
  /** The item under the cursor; in the result the first line shown. */
  readonly cursor: number;
  /** Shows findings of low severity too. */
  readonly withLow: boolean;
  readonly preset: WizardPreset | null;
  /** The guidance in the file came with the repository and is left out. */
  readonly anew: boolean;
  readonly chosen: { readonly [list in 'avoid' | 'prefer']: readonly string[] | null };
  readonly words: { readonly [list in 'avoid' | 'prefer']: string };
  /** The field of the two steps for own words. */
  readonly editor: Editor;
}

export type WizardTurn = 'next' | 'skip' | 'back' | 'toggle' | 'low';

/** An item of a step with a list. */
export interface WizardItem {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly severity: WizardOption['severity'];
}

/** The wizard at its first step. */
export const openWizard = (offers: WizardOffers): WizardOverlay => ({
  kind: 'wizard',
  offers,
  step: stepsOf(offers)[0] ?? 'avoid',
  cursor: 0,
  withLow: false,
  preset: null,
  anew: false,
  chosen: { avoid: null, prefer: null },
  words: { avoid: '', prefer: '' },
  editor: createEditor(),
});

/** The steps that apply to these offers. */
export const stepsOf = ({ loop, stored }: WizardOffers): readonly WizardStep[] => {
  const some = stored.forbidden.length + stored.encouraged.length > 0;
  return wizardSteps.filter((step) => (step !== 'preset' || loop) && (step !== 'stored' || some));
};

/** The list that a step with options or words asks about. */
export const wizardListOf = (step: WizardStep): 'avoid' | 'prefer' =>
  step === 'prefer' || step === 'prefer-words' ? 'prefer' : 'avoid';

/** Whether text typed now goes into the field. */
export const isWordsStep = (step: WizardStep): boolean => step === 'avoid-words' || step === 'prefer-words';

/** The items of the present step. */
export const wizardItems = ({ step, offers, withLow }: WizardOverlay): readonly WizardItem[] => {
  switch (step) {
    case 'preset':
      return presetItems;
    case 'stored':
      return offers.foreign ? foreignItems : storedItems;
    case 'avoid':
      return offers.avoid.filter(({ severity }) => withLow || severity !== 'low');
    case 'prefer':
      return offers.prefer;
    case 'avoid-words':
    case 'prefer-words':
    case 'result':
      return [];
  }
};

const item = (id: string, label: string, detail: string): WizardItem => ({
  id,
  label,
  detail,
  severity: null,
});

const presetItems: readonly WizardItem[] = [
  item('production', 'Production', 'Up to 9 hours and 99 turns'),
  item('poc', 'Proof of concept', 'Up to 10 minutes and 20 turns'),
  item('custom', 'Custom', 'The limits of the configuration: loop.max_runtime and loop.max_turns'),
];

const storedItems: readonly WizardItem[] = [
  item('keep', 'Keep it', 'Nothing changes'),
  item('change', 'Change it', 'Asks step by step; a skipped step keeps its part'),
];

const foreignItems: readonly WizardItem[] = [
  item('accept', 'Accept it', 'It counts from now on, as it is'),
  item('anew', 'Begin without it', 'Asks step by step; what the repository brought is replaced'),
];

/** The findings of low severity that are folded now. */
export const foldedOf = ({ step, offers, withLow }: WizardOverlay): number =>
  step === 'avoid' && !withLow ? offers.avoid.filter(({ severity }) => severity === 'low').length : 0;

/** The answers so far. */
const wizardChoices = ({ offers, chosen, words }: WizardOverlay): WizardChoices => {
  const optionsOf = (list: 'avoid' | 'prefer'): readonly WizardOption[] | null => {
    const ids = chosen[list];
    return ids === null ? null : offers[list].filter(({ id }) => ids.includes(id));
  };
  const wordsOf = (list: 'avoid' | 'prefer'): readonly string[] | null =>
    words[list].trim() === '' ? null : ownWords(words[list]);
  return {
    avoid: optionsOf('avoid'),
    avoidWords: wordsOf('avoid'),
    prefer: optionsOf('prefer'),
    preferWords: wordsOf('prefer'),
  };
};

/** The result of the answers so far. */
export const wizardResultOf = (overlay: WizardOverlay): WizardResult =>
  wizardResult(overlay.anew ? noGuidance : overlay.offers.stored, wizardChoices(overlay));

/** The end that Enter means at this step, or `null` while more steps follow. */
export const wizardEnd = (overlay: WizardOverlay): WizardEnd | null => {
  const { preset, step } = overlay;
  if (step === 'result') return { preset, guidance: wizardResultOf(overlay) };
  const here = step === 'stored' ? wizardItems(overlay)[overlay.cursor]?.id : undefined;
  if (here === 'keep') return { preset, guidance: 'kept' };
  return here === 'accept' ? { preset, guidance: 'accepted' } : null;
};

/** The wizard after a key. `skip` leaves the step's part as it is stored. */
export const turnWizard = (overlay: WizardOverlay, turn: WizardTurn): WizardOverlay => {
  switch (turn) {
    case 'toggle':
      return toggled(overlay);
    case 'low':
      return { ...overlay, withLow: !overlay.withLow, cursor: 0 };
    case 'next':
      return goTo(answered(overlay), 1);
    case 'skip':
      return goTo(skipped(overlay), 1);
    case 'back':
      return goTo(answered(overlay), -1);
  }
};

const toggled = (overlay: WizardOverlay): WizardOverlay => {
  const here = wizardItems(overlay)[overlay.cursor];
  if (here === undefined || (overlay.step !== 'avoid' && overlay.step !== 'prefer')) return overlay;
  const before = overlay.chosen[overlay.step] ?? [];
  const now = before.includes(here.id) ? before.filter((id) => id !== here.id) : [...before, here.id];
  return { ...overlay, chosen: { ...overlay.chosen, [overlay.step]: now } };
};

/** Takes the answer of the present step over. */
const answered = (overlay: WizardOverlay): WizardOverlay => {
  const { step, cursor, editor } = overlay;
  const here = wizardItems(overlay)[cursor]?.id;
  if (step === 'preset') return { ...overlay, preset: presets.find((preset) => preset === here) ?? null };
  if (step === 'stored')
    return { ...(here === 'change' ? withStored(overlay) : overlay), anew: here === 'anew' };
  return isWordsStep(step)
    ? { ...overlay, words: { ...overlay.words, [wizardListOf(step)]: editor.text } }
    : overlay;
};

/** Both lists with what is stored ticked. What no option says becomes one, so that nothing is lost unseen. */
const withStored = (overlay: WizardOverlay): WizardOverlay => {
  const { stored, avoid, prefer } = overlay.offers;
  const all = { avoid: storedIn(avoid, stored.forbidden), prefer: storedIn(prefer, stored.encouraged) };
  return {
    ...overlay,
    offers: { ...overlay.offers, avoid: all.avoid.options, prefer: all.prefer.options },
    chosen: {
      avoid: overlay.chosen.avoid ?? all.avoid.ticked,
      prefer: overlay.chosen.prefer ?? all.prefer.ticked,
    },
  };
};

const storedIn = (
  options: readonly WizardOption[],
  stored: readonly GuidanceItem[],
): { readonly options: readonly WizardOption[]; readonly ticked: readonly string[] } => {
  const words = stored.filter((item) => typeof item === 'string');
  const known = (phrase: string): WizardOption | undefined =>
    options.find((option) => sameItem(option.phrase, phrase));
  const own = words
    .filter((phrase) => known(phrase) === undefined)
    .map(
      (phrase, at): WizardOption => ({
        id: `stored-${at + 1}`,
        label: safe(phrase).slice(0, 60),
        detail: 'As stored',
        phrase,
        severity: null,
        conflictsWith: [],
      }),
    );
  const ticked = words.flatMap((phrase) => known(phrase)?.id ?? []);
  return { options: [...own, ...options], ticked: [...own.map(({ id }) => id), ...ticked] };
};

const presets = ['production', 'poc', 'custom'] as const;

const skipped = (overlay: WizardOverlay): WizardOverlay => {
  const { step } = overlay;
  if (step === 'preset') return { ...overlay, preset: null };
  if (step === 'avoid' || step === 'prefer')
    return { ...overlay, chosen: { ...overlay.chosen, [step]: null } };
  return isWordsStep(step) ? { ...overlay, words: { ...overlay.words, [wizardListOf(step)]: '' } } : overlay;
};

const goTo = (overlay: WizardOverlay, by: 1 | -1): WizardOverlay => {
  const steps = stepsOf(overlay.offers);
  const step = steps[steps.indexOf(overlay.step) + by];
  if (step === undefined) return overlay;
  const text = isWordsStep(step) ? overlay.words[wizardListOf(step)] : '';
  return { ...overlay, step, cursor: 0, editor: createEditor(text) };
};
