import { safe } from '../../base/safe.ts';
import type { Form, ResultLine } from '../forms/form.ts';
import { type Answers, ask, type Choice, linesOf, type Question } from '../forms/question.ts';
import type { LoopPreset } from '../settings/loop-presets.ts';
import { type Guidance, type GuidanceItem, noGuidance, sameItem, saysSomething } from './guidance.ts';
import {
  listed,
  ownWords,
  resultLines,
  type WizardOption,
  type WizardResult,
  wizardResult,
} from './wizard-choices.ts';

/** The facts and offers of one wizard, collected before it opens (src/discovery/README.md, Wizard). Texts are safe to show. */
export interface GuidanceOffers {
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

/** How a wizard ended: the guidance stays, is accepted as the repository brought it, or is replaced. */
export interface GuidanceEnd {
  /** `null` keeps the configured limits of a loop. */
  readonly preset: LoopPreset | null;
  readonly guidance: 'kept' | 'accepted' | WizardResult;
}

type GuidanceId = 'preset' | 'stored' | 'avoid' | 'avoid-words' | 'prefer' | 'prefer-words';

const safeLine = (line: ResultLine): ResultLine =>
  typeof line === 'string' ? safe(line) : { warning: safe(line.warning) };

/** The questions for what agents avoid and prefer. A question without an answer keeps its part of what is stored. */
export const guidanceForm = (offers: GuidanceOffers): Form => ({
  questions: (answers) => guidanceQuestions(offers, answers),
  problem: () => null,
  result: (answers) => {
    const { guidance } = guidanceEnd(offers, answers);
    return typeof guidance === 'string' ? null : resultLines(guidance).map(safeLine);
  },
  confirm: 'Save this guidance?',
  verbs: { confirm: 'save', leave: offers.loop ? 'start nothing' : 'change nothing' },
});

/** What the answers come to. */
export const guidanceEnd = (offers: GuidanceOffers, answers: Answers): GuidanceEnd => {
  const preset = presets.find(({ id }) => id === answers['preset'])?.id ?? null;
  if (answers['stored'] === 'keep') return { preset, guidance: 'kept' };
  if (answers['stored'] === 'accept') return { preset, guidance: 'accepted' };
  const chosen = (list: 'avoid' | 'prefer'): readonly WizardOption[] | null => {
    const answer = answers[list];
    const ids = linesOf(answer);
    return answer === undefined
      ? null
      : optionsOf(offers, answers, list).options.filter(({ id }) => ids.includes(id));
  };
  const words = (list: 'avoid' | 'prefer'): readonly string[] | null => {
    const answer = answers[`${list}-words`] ?? '';
    return answer.trim() === '' ? null : ownWords(answer);
  };
  const stored = answers['stored'] === 'anew' ? noGuidance : offers.stored;
  return {
    preset,
    guidance: wizardResult(stored, {
      avoid: chosen('avoid'),
      avoidWords: words('avoid'),
      prefer: chosen('prefer'),
      preferWords: words('prefer'),
    }),
  };
};

const guidanceQuestions = (offers: GuidanceOffers, answers: Answers): readonly Question<GuidanceId>[] => {
  const first = [
    ...(offers.loop
      ? [ask('preset', 'choice', 'How long may the loop run?', { options: presets, optional: true })]
      : []),
    ...(saysSomething(offers.stored) ? [storedQuestion(offers)] : []),
  ];
  if (answers['stored'] === 'keep' || answers['stored'] === 'accept') return first;
  const keeps = saysSomething(offers.stored) && answers['stored'] !== 'anew';
  const choices = (list: 'avoid' | 'prefer', text: string): Question<GuidanceId> => {
    const { options, ticked } = optionsOf(offers, answers, list);
    const more = keeps ? { skipped: 'stays as stored' } : {};
    return ask(list, 'choices', text, { options, offered: ticked.join('\n'), optional: true, ...more });
  };
  return [
    ...first,
    choices('avoid', offers.question),
    ask('avoid-words', 'words', 'Anything else to avoid?', words),
    choices('prefer', 'What should the agents prefer?'),
    ask('prefer-words', 'words', 'Anything else to prefer?', words),
  ];
};

const words = {
  help: 'Your own words, separated by commas. When listed to avoid, path:GLOB and command:GLOB are enforced.',
  optional: true,
};

const presets = [
  { id: 'production', label: 'Production', detail: 'Up to 9 hours and 99 turns' },
  { id: 'poc', label: 'Proof of concept', detail: 'Up to 10 minutes and 20 turns' },
  {
    id: 'custom',
    label: 'Custom',
    detail: 'The limits from the configuration: loop.max_runtime and loop.max_turns',
  },
] as const;

/** Offers the stored guidance. No answer is chosen beforehand for guidance that came with the repository: only a person accepts it. */
const storedQuestion = ({ stored, age, foreign }: GuidanceOffers): Question<'stored'> =>
  ask('stored', 'choice', foreign ? 'This guidance came with the repository' : 'Guidance already exists', {
    about: [
      [
        `${stored.forbidden.length} to avoid`,
        `${stored.encouraged.length} to prefer`,
        ...(foreign ? ['no effect until you accept it'] : age === null ? [] : [`saved ${age}`]),
      ].join(', '),
      ...[...listed('Avoid', stored.forbidden), ...listed('Prefer', stored.encouraged)].map(safe),
    ],
    options: foreign ? foreignItems : storedItems,
    offered: foreign ? '' : 'keep',
  });

const storedItems: readonly Choice[] = [
  { id: 'keep', label: 'Keep it', detail: 'Nothing changes' },
  { id: 'change', label: 'Change it', detail: 'Asks step by step; skipped steps stay unchanged' },
];

const foreignItems: readonly Choice[] = [
  { id: 'accept', label: 'Accept it', detail: 'It applies unchanged from now on' },
  {
    id: 'anew',
    label: 'Start without it',
    detail: "Asks step by step; replaces the repository's guidance",
  },
];

/** The options of a list. For a person who changes what is stored it is ticked, and what no option says becomes one, so that nothing is lost unseen. */
const optionsOf = (
  offers: GuidanceOffers,
  answers: Answers,
  list: 'avoid' | 'prefer',
): { readonly options: readonly WizardOption[]; readonly ticked: readonly string[] } =>
  answers['stored'] === 'change'
    ? storedIn(offers[list], list === 'avoid' ? offers.stored.forbidden : offers.stored.encouraged)
    : { options: offers[list], ticked: [] };

const storedIn = (
  options: readonly WizardOption[],
  stored: readonly GuidanceItem[],
): ReturnType<typeof optionsOf> => {
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
