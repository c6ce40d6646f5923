import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import {
  client,
  type McpServer,
  methods,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from '@agentclientprotocol/sdk';

export type PermissionAnswer = (
  request: RequestPermissionRequest,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

export interface BareClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Without it every request is allowed once. */
  readonly permission?: PermissionAnswer;
}

/** Chooses the option of this kind. */
export const choose = (
  { options }: RequestPermissionRequest,
  kind: 'allow_once' | 'reject_once',
): RequestPermissionResponse => {
  const option = options.find((each) => each.kind === kind);
  if (!option) throw new Error(`no option ${kind} among ${options.map((each) => each.kind).join(', ')}`);
  return { outcome: { outcome: 'selected', optionId: option.optionId } };
};

/**
 * The SDK's client and nothing of ours: shows what an agent does by itself, and is what the backend's overhead is measured against. The
 * agent runs in a process group of its own; `end` kills the group.
 */
export const startBareClient = (options: BareClientOptions) => {
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = new Promise<number | string>((resolve) =>
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  const updates: SessionNotification['update'][] = [];
  const asked: RequestPermissionRequest[] = [];
  const watchers = new Set<() => void>();
  const look = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  const connection = client({ name: 'bare-client' })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      look();
      return (await options.permission?.(params)) ?? choose(params, 'allow_once');
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
      look();
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));

  return {
    pid: child.pid ?? 0,
    agent: connection.agent,
    updates,
    asked,
    stderr: () => stderr,
    exited,
    /** All text of the agent's answers. */
    text: (): string =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join(''),
    initialize: () =>
      connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} }),
    /** `more`: another directory than that of the process, `_meta`. */
    newSession: (
      mcpServers: McpServer[] = [],
      more: { readonly cwd?: string; readonly _meta?: Record<string, unknown> } = {},
    ) => connection.agent.request(methods.agent.session.new, { cwd: options.cwd, mcpServers, ...more }),
    prompt: (sessionId: string, text: string): Promise<PromptResponse> =>
      connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    cancel: (sessionId: string): Promise<void> =>
      connection.agent.notify(methods.agent.session.cancel, { sessionId }),
    /** Resolves when an update or a permission request makes it true. */
    until: (fits: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const watcher = (): void => {
          if (!fits()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
      }),
    end: async (): Promise<number | string> => {
      connection.close();
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // The group is gone.
      }
      return exited;
    },
  };
};

export type BareClient = ReturnType<typeof startBareClient>;
