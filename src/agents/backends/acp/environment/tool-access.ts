import type { AgentProfile } from '../../../profiles/profile.ts';
import type { OpenTools } from '../../../tools.ts';
import type { ToolServer } from '../link.ts';

/** How an agent gets at our tools. */
interface ToolAccess {
  readonly servers: readonly ToolServer[];
  /** Variables for the agent's process. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Keeps the token out of the arguments of an agent's process, which every account of the machine can read: an agent that expands `${NAME}` in headers
 * gets it by a variable, which only its own account can read.
 */
export const toolAccess = (
  { expandsHeaders }: Pick<AgentProfile, 'expandsHeaders'>,
  servers: readonly ToolServer[],
): ToolAccess => {
  if (!expandsHeaders) return { servers, env: {} };
  const env: Record<string, string> = {};
  const hidden = servers.map((server) => ({
    ...server,
    headers: server.headers.map(({ name, value }) => {
      const variable = `RALPH_TOOLS_TOKEN${Object.keys(env).length || ''}`;
      env[variable] = value;
      return { name, value: `\${${variable}}` };
    }),
  }));
  return { servers: hidden, env };
};

/** Our tools as an MCP server for `session/new`. */
export const serverOf = ({ name, url, token }: OpenTools): ToolServer => ({
  name,
  url,
  headers: [{ name: 'Authorization', value: `Bearer ${token}` }],
});
