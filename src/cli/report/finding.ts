/** One line of `doctor --json`. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly problem: string | null;
  readonly hint: string | null;
}

export const good = (check: string, found: string, hint: string | null = null): Finding => ({
  check,
  ok: true,
  found,
  problem: null,
  hint,
});

export const bad = (check: string, found: string, problem: string, hint: string): Finding => ({
  check,
  ok: false,
  found,
  problem,
  hint,
});
