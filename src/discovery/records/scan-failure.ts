import { type Acknowledged, isAcknowledged } from '../../session/guidance/acknowledged.ts';
import { type Finding, findingId, type Location, mostLocations } from './finding.ts';

/** A part of the scanner that gave no answer. */
interface FailedPart {
  /** `scanner`, or the name of a rule. */
  readonly part: string;
  /** A whole clause: `the rule hardcoded_path failed in src/a.ts: out of memory`. */
  readonly what: string;
  readonly recommendation: string;
  /** Files that this part did not judge; empty for the whole tree. */
  readonly files: readonly string[];
}

/**
 * A finding for what the scanner could not judge. It is critical, because a critical path may be there: a failed gate never passes
 * (src/discovery/README.md, Scanner).
 */
export const scanFailure = ({ part, what, recommendation, files }: FailedPart): Finding => {
  const [first] = files;
  return {
    _type: 'constraint',
    id: findingId(category, part, first ?? ''),
    severity: 'critical',
    category,
    description: `The scan is incomplete: ${what}`,
    file: first ?? null,
    line: null,
    value: part,
    occurrences: Math.max(1, files.length),
    locations: files.slice(0, mostLocations).map((file): Location => ({ file, line: null })),
    recommendation,
    resolution_steps: [],
    tags: ['discovery'],
    affected_scope: 'workspace',
    source: 'scanner',
    confidence: 1,
    merged_with: [],
    conflicts_with: [],
    linked_from: null,
  };
};

const category = 'scan_failure';

/** Whether a finding says that the scanner failed, and so names nothing that an agent could avoid. */
export const isScanFailure = (finding: Pick<Finding, 'category' | 'source'>): boolean =>
  finding.category === category && finding.source === 'scanner';

/** The findings that nobody acknowledged. A failed scan is never acknowledged: the next one may miss something else. */
export const openFindings = (findings: readonly Finding[], acknowledged: Acknowledged): readonly Finding[] =>
  findings.filter((finding) => isScanFailure(finding) || !isAcknowledged(acknowledged, finding));
