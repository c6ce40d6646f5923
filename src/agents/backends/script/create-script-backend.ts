import { toFault } from '../../../base/fault.ts';
import { childEnvironment } from '../../../base/process/child-environment.ts';
import { personalGit } from '../../../base/process/git-environment.ts';
import type { Child } from '../../../base/process/spawn.ts';
import type { Backend, BackendHost, Brief, Worker } from '../../port.ts';
import { standsIn } from '../../stands-in.ts';
import type { ProgramDeps } from '../program-deps.ts';
import type { ScriptContext } from './script-turn.ts';
import { scriptTurns } from './turns.ts';

/**
 * The backend without a model or network: it runs a plan's commands as real processes (src/engine/README.md, Backends). It never invents work, and reports a
 * task without commands as such.
 */
export const createScriptBackend = (deps: ProgramDeps): Backend => {
  const inherited = {
    ...deps,
    env: childEnvironment(deps.env),
    personal: deps.env,
    gitEnv: personalGit(deps.env),
  };
  return {
    name: 'script',
    label: "the plan's own commands, no model",
    onlyCommands: true,
    start: (brief, host) => createScriptWorker(inherited, brief, host),
  };
};

type Inherited = Omit<ProgramDeps, 'env'> & Pick<ScriptContext, 'env' | 'personal' | 'gitEnv'>;

const createScriptWorker = (deps: Inherited, brief: Brief, host: BackendHost): Worker => {
  let stopped: 'abort' | 'cancel' | null = null;
  let child: Child | null = null;
  const told = new Set<string>();
  return {
    turn: async (ask, boundary) => {
      const turn = scriptTurns[ask.kind];
      if (!turn) {
        return {
          kind: 'failed',
          fault: { code: 'unknown-turn', what: `the script backend cannot perform the turn "${ask.kind}"` },
        };
      }
      const context: ScriptContext = {
        ...deps,
        brief,
        host,
        boundary,
        stopped: () => stopped,
        track: (started) => {
          child = started;
        },
        carried: (messages, detail) => {
          if (standsIn(brief)) return;
          for (const { id } of messages.filter((message) => !told.has(message.id))) {
            told.add(id);
            host.emit({ type: 'message.arrived', id, way: 'command', detail });
          }
        },
      };
      try {
        if (stopped) return { kind: 'stopped', why: stopped };
        return await turn(context, ask);
      } catch (error) {
        return { kind: 'failed', fault: toFault(error, `${brief.invocation} ${ask.kind}`) };
      }
    },
    stop: async (why) => {
      stopped ??= why;
      await child?.stop(brief.settings.timeouts.abort_grace);
    },
  };
};
