import { Lines } from './Lines.tsx';
import { ruleLine, type TitledRule } from './rule-line.ts';
import { useTheme } from './theme-context.tsx';

/** The title line of a pane. */
export const Rule = (rule: TitledRule) => (
  <Lines lines={[ruleLine(rule, useTheme())]} width={rule.width} height={1} />
);
