import type { BackendHost } from '../../../port.ts';
import type { PermissionRequest } from '../link.ts';
import type { ToolBook } from '../tool-book.ts';
import { toolPatchSchema } from '../updates.ts';
import { chooseOption } from './choose-option.ts';
import { type AskPorts, permissionAsk } from './permission-ask.ts';

interface RequestPorts extends AskPorts {
  readonly host: BackendHost;
  readonly book: ToolBook;
  /** The agent may change its mode. */
  readonly allowMode: () => void;
}

/** Asks the host about a request of the agent, and gives the id of the option that says its answer; `null`: the request ends without one. */
export const answerRequest = async (
  { host, book, allowMode, ...judged }: RequestPorts,
  request: PermissionRequest,
  over: AbortSignal,
): Promise<string | null> => {
  const { data } = toolPatchSchema.safeParse(request.toolCall);
  if (!data) return null;
  const ask = permissionAsk(book.ask(data), judged);
  const answer = (await host.permission?.(ask, over)) ?? 'refuse';
  if (answer === 'allow' && ask.kind === 'mode') allowMode();
  if (answer === 'cancelled') return null;
  // Gemini CLI says nothing more about a call that was refused.
  book.answered(ask.call, answer === 'refuse');
  return chooseOption(request.options, answer === 'allow');
};
