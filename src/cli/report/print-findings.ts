import { type Cli, exitCodes } from '../cli.ts';
import type { Finding } from './finding.ts';
import { formatFindings } from './format-findings.ts';

/** Prints findings in rows or as JSON. Exit 1 when one is wrong. */
export const printFindings = (
  cli: Cli,
  findings: readonly Finding[],
  { json }: { readonly json?: boolean },
): number => {
  if (json) cli.printJson(findings);
  else cli.print(formatFindings(findings, cli.stdout.columns ?? null));
  return findings.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed;
};
