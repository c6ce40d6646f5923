import { type FormOverlay, formQuestion, openForm, turnForm } from '../../../components/form/form-view.ts';
import { criticalLine } from '../../../src/cli/discovery/start-discovery.ts';
import { bySeverityAndId, type Finding } from '../../../src/discovery/records/finding.ts';
import { scanFailure } from '../../../src/discovery/records/scan-failure.ts';
import { avoidOptions, avoidQuestion, preferOptions } from '../../../src/discovery/wizard/options.ts';
import type { Guidance } from '../../../src/session/guidance/guidance.ts';
import { noGuidance } from '../../../src/session/guidance/guidance.ts';
import { finding } from '../findings.ts';
import type { TestScreen } from '../screen.tsx';
import { openStart } from './arriving.ts';
import type { Scene } from './scene.ts';

/** So many findings: one critical, some high and medium, every third one low. */
export const manyFindings = (count: number): readonly Finding[] =>
  Array.from({ length: count }, (_, index) =>
    finding({
      id: `hardcoded_path-${String(index).padStart(8, '0')}`,
      severity: index === 0 ? 'critical' : index % 3 === 2 ? 'low' : index % 2 === 0 ? 'medium' : 'high',
      description: `Hardcoded path: /Users/zed/work/customers/north/services/greetings-${index}/`,
      file: `packages/greetings-${index}/src/config/paths.ts`,
      line: index + 1,
      recommendation: 'Use a path relative to the project, or read it from an environment variable',
      conflicts_with: index === 0 ? ['layout-00000002'] : [],
    }),
  ).toSorted(bySeverityAndId);

const stored: Guidance = {
  forbidden: ['Documentation updates', { path: 'gen/**' }, { command: 'git push' }],
  encouraged: ['Bug fixes'],
  timestamp: '2026-02-15T10:00:00+00:00',
  constraint_ids: [],
};

/** The wizard at its first step. */
export const wizardOf = (
  findings: readonly Finding[],
  more: { readonly loop?: boolean; readonly stored?: Guidance; readonly foreign?: boolean } = {},
): FormOverlay =>
  openForm({
    kind: 'guidance',
    offers: {
      loop: false,
      stored: noGuidance,
      age: more.stored ? '3 h ago' : null,
      foreign: false,
      question: avoidQuestion(findings, new Map()),
      avoid: avoidOptions(findings, new Map()),
      prefer: preferOptions,
      ...more,
    },
  });

/** The wizard at a step, every step before it answered with nothing. */
export const wizardAt = (step: string, findings: readonly Finding[]): FormOverlay => {
  let overlay = wizardOf(findings, { loop: true, stored });
  while (formQuestion(overlay)?.id !== step) overlay = turnForm({ ...overlay, cursor: 1 }, 'next');
  return overlay;
};

const show = async (screen: TestScreen, overlay: FormOverlay): Promise<void> => {
  screen.store.act({ type: 'overlay-opened', overlay });
  await screen.settle();
};

const options = { connection: 'stopped' } as const;

const scene = (name: string, overlay: FormOverlay, ...keys: readonly string[]): Scene => ({
  name: `wizard-${name}`,
  options,
  act: async (screen) => {
    await show(screen, overlay);
    await screen.press(...keys);
  },
});

const atAvoid = (count: number): FormOverlay => wizardOf(manyFindings(count));

/** Every step of the wizard for guidance, with 0, 3 and 300 findings. */
export const wizardScenes: readonly Scene[] = [
  scene('preset', wizardOf([], { loop: true, stored })),
  scene('stored', wizardOf([], { stored })),
  scene('foreign', wizardOf([], { stored, foreign: true })),
  scene('avoid-0', atAvoid(0)),
  scene('avoid-3', atAvoid(3), 'space', 'j'),
  scene('avoid-300', atAvoid(300), 'j', 'space', 'pagedown'),
  scene('avoid-300-low', atAvoid(300), 'l', 'G'),
  scene('avoid-words', atAvoid(3), 'enter', ...'path:gen/**, Refactor DB'),
  scene('prefer', atAvoid(3), 'enter', 'enter', 'j', 'j', 'space'),
  scene('prefer-words', atAvoid(3), 'enter', 'enter', 'enter'),
  scene('result-0', atAvoid(0), 'enter', 'enter', 'enter', 'enter'),
  scene(
    'result-3',
    atAvoid(3),
    'space',
    'enter',
    ...'Bug fixes',
    'enter',
    'j',
    'j',
    'space',
    'enter',
    'enter',
  ),
  {
    name: 'critical',
    options,
    act: async (screen) => {
      await openStart(screen);
      screen.store.act({
        type: 'discovered',
        sentence: 'Found here: 2 critical, 1 high; {start.guidance} shows them',
      });
      screen.store.act({
        type: 'overlay-opened',
        overlay: {
          kind: 'critical',
          findings: ['src/config/paths.ts:12', 'deploy.toml:3'].map((place) => ({
            line: `${place} Your home directory /home/kim is hardcoded`,
            advice: "Use a path relative to the project, the user's home directory, or a setting",
            path: '/work/greetings/deploy.toml',
          })),
          cursor: 0,
          intent: { type: 'start', start: { what: 'plan', file: 'plan.yaml' } },
        },
      });
      await screen.settle();
    },
  },
  {
    name: 'critical-failed-scan',
    options,
    act: async (screen) => {
      await openStart(screen);
      const failures = [
        scanFailure({
          part: 'scanner',
          what: 'the scanner did not finish within 15 s',
          recommendation:
            'Give it more time with `discovery.timeout`, or exclude folders with `discovery.exclude`',
          files: [],
        }),
        scanFailure({
          part: 'read_only_notice',
          what: 'the rule read_only_notice failed: Maximum call stack size exceeded',
          recommendation: 'Check this file yourself, or exclude it with `discovery.exclude`',
          files: ['AGENTS.md'],
        }),
      ];
      screen.store.act({
        type: 'overlay-opened',
        overlay: {
          kind: 'critical',
          findings: failures.map((finding) => ({
            line: criticalLine(finding),
            advice: finding.recommendation,
            path: finding.file,
          })),
          cursor: 0,
          intent: { type: 'start', start: { what: 'plan', file: 'plan.yaml' } },
        },
      });
      await screen.settle();
    },
  },
  {
    name: 'start-discovered',
    options,
    act: async (screen) => {
      await openStart(screen);
      screen.store.act({
        type: 'discovered',
        sentence: 'Found here: 2 critical, 1 high; {start.guidance} shows them',
      });
      await screen.settle();
    },
  },
  {
    name: 'wizard-result-300',
    options,
    act: async (screen) => {
      const overlay = atAvoid(300);
      const all = formQuestion(overlay)?.options.map(({ id }) => id) ?? [];
      await show(screen, { ...overlay, unfolded: true, answers: { avoid: all.join('\n') } });
      await screen.press('enter', 'enter', 'enter', 'enter', 'pagedown');
    },
  },
];
