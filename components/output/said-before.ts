import type { OpenPermission } from '../../src/pipeline/open-permission.ts';
import { reasonWords } from '../../src/words/reason-words.ts';
import type { ViewState } from '../view.ts';
import { keyOfInvocation, lineOfCall } from './select-asking.ts';

/** The last paragraph that the agent said between its call before and this one, in one line; '' for none. */
export const saidBefore = (
  { session, output }: Pick<ViewState, 'session' | 'output'>,
  { invocation, title, command }: OpenPermission,
): string => {
  const asker = session?.invocations.get(invocation);
  const log = asker === undefined ? undefined : output.logs.get(keyOfInvocation(asker));
  if (log === undefined) return '';
  const at = lineOfCall(log, command === null ? [title] : [title, command]);
  const before = log.lines.slice(0, at === null ? undefined : at - log.dropped);
  const words = before.slice(before.findLastIndex(({ kind }) => kind === 'command') + 1);
  const said = words.flatMap((line) =>
    line.kind === 'text' && line.said?.kind === 'words' ? [line.text] : [],
  );
  return reasonWords(
    said
      .join('\n')
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '',
  );
};
