import { client } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { FieldValue } from './elicitation/form.ts';
import type { LinkListener } from './link.ts';

/** The most requests for permission of one agent that are open at once. A person answers one at a time, and each is in the journal. */
const mostOpen = 500;

/** Our handlers for the agent's requests and notifications. Our own schemas parse the parameters, because the SDK's refuse more. */
export const converse = (listener: LinkListener, pullsWith: string | null) => {
  let open = 0;
  const permission = async (
    params: z.infer<typeof permissionSchema>,
    signal: AbortSignal,
  ): Promise<string | null> => {
    if (open >= mostOpen) {
      listener.log(new TextEncoder().encode(`[a request was cancelled: ${mostOpen} were already open]\n`));
      return null;
    }
    open += 1;
    try {
      const options = params.options.map(({ optionId, kind }) => ({ id: optionId, kind }));
      return await listener.permission(
        { session: params.sessionId, toolCall: params.toolCall, options },
        signal,
      );
    } finally {
      open -= 1;
    }
  };
  const app = client({ name: 'ralph-tui' })
    .onRequest('session/request_permission', permissionSchema, async ({ params, signal }) => {
      const chosen = await permission(params, signal);
      return {
        outcome: chosen === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen },
      };
    })
    .onRequest('elicitation/create', elicitationSchema, async ({ params, signal }) => {
      // Only forms are offered to the agent.
      if (params.mode !== 'form') return { action: 'decline' };
      const answer = await listener.elicit(
        { message: params.message, schema: params.requestedSchema },
        signal,
      );
      return answer.action === 'accept' ? { ...answer, content: plainContent(answer.content) } : answer;
    })
    // The SDK prints an error for every unknown extension that has no handler.
    .onNotification('*', () => {});
  return pullsWith === null
    ? app
    : app.onRequest(pullsWith, z.unknown(), async () => ({ messages: [...(await listener.pull())] }));
};

const elicitationSchema = z.object({
  mode: z.string(),
  message: z.string(),
  requestedSchema: z.unknown().optional(),
});

/** The SDK's type wants arrays that may change. */
const plainContent = (content: Readonly<Record<string, FieldValue>>) =>
  Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  );

const permissionSchema = z.object({
  sessionId: z.string(),
  toolCall: z.unknown().optional(),
  options: z.array(
    z.object({
      optionId: z.string(),
      kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
    }),
  ),
});
