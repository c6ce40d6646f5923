import type { Store } from '../../../components/create-store.ts';
import { documentKey } from '../../../components/plan/plan-review.ts';
import type { ViewerPort } from '../../../components/ports/viewer-port.ts';
import type { EventBody } from '../../../src/pipeline/event.ts';
import { type Story, twoSideBySide } from '../story.ts';
import { createViewer } from './reading.ts';
import type { Scene } from './scene.ts';

const document = 'thoughts/shared/plans/2026-02-15-GH-0042-greet.md';
const critique = 'thoughts/shared/reviews/2026-02-15-GH-0042-greet-critique.md';

/** The question about the plan of issue 42, as mode flow asks it. */
export const planReview = {
  type: 'question.asked',
  request: 'plan:review-42',
  kind: 'plan-review',
  task: 'docs',
  attempt: 1,
  text: `Approve the plan for issue 42? It is in ${document}, and the validator's critique is in ${critique}.`,
  options: [
    { id: 'approve', label: 'the work begins' },
    { id: 'minor', label: 'the work begins, with your message', words: 'must' },
    { id: 'major', label: 'a new plan, with your message', words: 'must' },
    { id: 'reject', label: 'no plan: the issues wait for a person', words: 'may' },
  ],
  document,
  critique,
  invocation: null,
} as const satisfies EventBody | { readonly options: readonly unknown[] };

const plan = [
  '---',
  'github_issue: 42',
  '---',
  '# Greet in Vietnamese',
  '',
  'The greeting is read from `src/vi.json`, which the **generator** writes.',
  '',
  '## Phase 1: the words',
  '',
  '1. Add twelve greetings to `tools/words.yaml`.',
  '2. Run `node tools/generate.js`; it must give the same bytes twice.',
  '',
  '| file | change |',
  '| --- | --- |',
  '| tools/words.yaml | twelve lines |',
  '| src/vi.json | generated |',
  '',
  '## Phase 2: the page',
  '',
  '```js',
  'export const greet = (name) => words.vi.replace("{}", name);',
  '```',
  '',
  '- [ ] `npm test -- --grep vietnamese` passes',
  '- [ ] no key is missing',
].join('\n');

const words = [
  '# Critique',
  '',
  'VERDICT: APPROVED',
  '',
  '- **Completeness**: every acceptance criterion has a step.',
  '- **Feasibility**: the generator exists.',
  '- **Clarity**: step 1 does not say which greetings.',
  '- **Scope**: nothing beyond the issue.',
].join('\n');

const viewerOf = (texts: Readonly<Record<string, string>>): ViewerPort => ({
  ...createViewer(),
  readDocument: async (path) => texts[path] ?? null,
});

export const planViewer = viewerOf({ [document]: plan, [critique]: words });

/** Gives a store the texts that a screen would read. */
export const readPlan = (store: Store): void => {
  for (const [path, text] of [
    [document, plan],
    [critique, words],
  ] as const)
    store.act({ type: 'document-read', key: documentKey(planReview.request, path), text });
};

export const withPlanReview = (): Story => twoSideBySide().add(planReview);

const hostile = [
  '# \u001b[31mred\u202e \u001b]52;c;ZXZpbA==\u0007',
  '日本語のとても長い行'.repeat(40),
  `${'e\u0301'.repeat(400)} ${'x'.repeat(600)}`,
  '> '.repeat(3_000),
  `| a | b |\n| --- | --- |\n| ${'👩‍👩‍👧‍👦'.repeat(60)} | \u200b |`,
  '```\n\u001b[2Junended',
].join('\n\n');

export const planReviewScenes: readonly Scene[] = [
  {
    name: 'plan-review',
    story: withPlanReview,
    options: { viewer: planViewer },
    act: (screen) => screen.press('u'),
  },
  {
    name: 'plan-review-comment',
    story: withPlanReview,
    options: { viewer: planViewer },
    act: async (screen) => {
      await screen.press('u', 'j', 'j', 'm');
      await screen.type('Which twelve? Name them.');
      await screen.press('enter', 'j');
    },
  },
  {
    name: 'plan-review-critique',
    story: withPlanReview,
    options: { viewer: planViewer },
    act: (screen) => screen.press('u', 'tab', 'j', 'j'),
  },
  {
    name: 'plan-review-hostile',
    story: withPlanReview,
    options: { viewer: viewerOf({ [document]: hostile }) },
    foreign: hostile,
    act: (screen) => screen.press('u', 'j'),
  },
];
