import type { Cli } from './cli.ts';

export const listSessions = (
  _cli: Cli,
): {
  session_id: string;
  status: string;
  state: string;
  progress: string;
  stop_reason: string | null;
  layout: string;
}[] => [];
