import { safe } from '../../base/safe.ts';
import type { Acknowledged } from '../../session/guidance/acknowledged.ts';
import type { WizardOption } from '../../session/guidance/wizard-choices.ts';
import { placeOf } from '../format-scan.ts';
import { busywork } from '../records/busywork.ts';
import type { Finding, Severity } from '../records/finding.ts';
import { isScanFailure, openFindings } from '../records/scan-failure.ts';

const longestLabel = 60;

/** Options for agents to avoid: unacknowledged findings, the most severe first, then the ten kinds of busywork (src/discovery/README.md, Wizard). */
export const avoidOptions = (
  findings: readonly Finding[],
  acknowledged: Acknowledged,
): readonly WizardOption[] => [
  ...toAvoid(findings, acknowledged).map(ofFinding),
  ...busywork.map(({ id, name, description }) => option(id, name, description)),
];

/** A failed scan is no work that an agent could avoid. */
const toAvoid = (findings: readonly Finding[], acknowledged: Acknowledged): readonly Finding[] =>
  openFindings(findings, acknowledged).filter((finding) => !isScanFailure(finding));

const ofFinding = (finding: Finding): WizardOption => ({
  ...option(
    finding.id,
    finding.description,
    `(${finding.severity.toUpperCase()}) ${placeOf(finding)} [${finding.source}] ${finding.recommendation}`,
  ),
  phrase: safe(phraseOf(finding)).slice(0, 300),
  severity: finding.severity,
  conflictsWith: finding.conflicts_with,
});

/** What an agent should not do. The path that a file names is only an example: by itself it forbids nothing an agent could follow. */
const phraseOf = ({ category, value, description }: Finding): string =>
  category === 'hardcoded_path' && value !== null
    ? `Writing paths that exist on only one machine, such as ${value}, into files`
    : description;

const option = (id: string, words: string, detail: string): WizardOption => ({
  id,
  label: clip(safe(words)),
  detail: safe(detail),
  phrase: safe(words).slice(0, 300),
  severity: null,
  conflictsWith: [],
});

const clip = (text: string): string =>
  text.length <= longestLabel ? text : `${text.slice(0, longestLabel - 1).trimEnd()}…`;

/** Options for agents to prefer. */
export const preferOptions: readonly WizardOption[] = [
  option('roadmap', 'ROADMAP P0 items', "The items that the project's roadmap puts first"),
  option('performance', 'Performance improvements', 'Speed and memory, measured'),
  option('bugs', 'Bug fixes', 'Known defects before anything new'),
  option('research', 'Research experiments', 'Trying things out, with notes on what was learned'),
  option('features', 'Feature completion', 'Finishing what was started'),
  option('simplify', 'Simplification', 'Less code for the same behaviour'),
  option('experience', 'User experience', 'What a user notices first'),
];

/** `What should the agents avoid? (1 critical, 3 high detected)`, without acknowledged findings. */
export const avoidQuestion = (findings: readonly Finding[], acknowledged: Acknowledged): string => {
  const open = toAvoid(findings, acknowledged);
  const count = (wanted: Severity): number => open.filter(({ severity }) => severity === wanted).length;
  return `What should the agents avoid? (${count('critical')} critical, ${count('high')} high detected)`;
};
