import { toFault } from '../../base/fault.ts';
import type { Finding } from '../records/finding.ts';
import { scanFailure } from '../records/scan-failure.ts';
import type { Hit } from '../rule.ts';
import { createHitGroups, type HitGroups } from './group-hits.ts';

/** The rules' hits of one scan. A rule that throws loses only what it was looking at, and one that finds too much is cut short. */
interface RuleRun {
  /** Runs a rule over a file, or over the tree for `null`. */
  readonly collect: (rule: string, file: string | null, find: () => Iterable<Hit>) => void;
  readonly findings: HitGroups['findings'];
  /** One finding for each rule that threw, with its files. */
  readonly failures: () => readonly Finding[];
  /** A sentence when hits were left out, else `null`. */
  readonly limit: () => string | null;
}

/** Hits of one rule in one file. The rest of such a file says nothing new. */
const mostHits = 1_000;

export const createRuleRun = (): RuleRun => {
  const groups = createHitGroups();
  const failed = new Map<string, Failed>();
  /** A place of hits that were left out, for each rule. */
  const cut = new Map<string, string | null>();
  return {
    collect: (rule, file, find) => {
      try {
        let count = 0;
        for (const hit of find()) {
          count += 1;
          const isTooMany = file !== null && count > mostHits;
          if (isTooMany || !groups.add(rule, hit)) cut.set(rule, cut.get(rule) ?? file);
          if (isTooMany) break;
        }
      } catch (error) {
        const { reason, files } = failed.get(rule) ?? { reason: toFault(error).what, files: [] };
        failed.set(rule, { reason, files: file === null ? files : [...files, file] });
      }
    },
    findings: groups.findings,
    failures: () => [...failed].map(([rule, all]) => failureOf(rule, all)),
    limit: () =>
      cut.size === 0
        ? null
        : `there are more findings than are listed: ${[...cut].map(([rule, file]) => `${rule}${file === null ? '' : ` in ${file}`}`).join(', ')}`,
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
        ? 'Run `ralph-tui scan` again; if it fails again, exclude the cause with `discovery.exclude`'
        : 'Check this file yourself, or exclude it with `discovery.exclude`',
    files,
  });
