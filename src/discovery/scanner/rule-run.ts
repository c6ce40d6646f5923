import { toFault } from '../../base/fault.ts';
import type { Finding } from '../records/finding.ts';
import { scanFailure } from '../records/scan-failure.ts';
import type { Hit } from '../rules/rule.ts';
import type { RuleHit } from './group-hits.ts';

/** The rules' hits of one scan. A rule that throws loses only what it was looking at. */
export interface RuleRun {
  /** Runs a rule over a file, or over the tree for `null`. */
  readonly collect: (rule: string, file: string | null, find: () => readonly Hit[]) => void;
  readonly hits: () => readonly RuleHit[];
  /** One finding for each rule that threw, with its files. */
  readonly failures: () => readonly Finding[];
}

export const createRuleRun = (): RuleRun => {
  const hits: RuleHit[] = [];
  const failed = new Map<string, Failed>();
  return {
    collect: (rule, file, find) => {
      try {
        for (const hit of find()) hits.push({ ...hit, rule });
      } catch (error) {
        const { reason, files } = failed.get(rule) ?? { reason: toFault(error).what, files: [] };
        failed.set(rule, { reason, files: file === null ? files : [...files, file] });
      }
    },
    hits: () => hits,
    failures: () => [...failed].map(([rule, all]) => failureOf(rule, all)),
  };
};

interface Failed {
  /** Of the first error. */
  readonly reason: string;
  readonly files: readonly string[];
}

const failureOf = (rule: string, { reason, files }: Failed): Finding =>
  scanFailure({
    part: rule,
    what: `the rule ${rule} failed: ${reason}`,
    recommendation:
      files.length === 0
        ? 'Run `ralph-tui scan` again; if it fails again, leave the cause out with `discovery.exclude`'
        : 'Look at this file yourself, or leave it out with `discovery.exclude`',
    files,
  });
