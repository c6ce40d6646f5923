import type { Invocation } from '../../src/pipeline/state.ts';
import { act, type Command, needAnswered, perform } from '../command.ts';
import type { InLines } from '../in-lines.ts';
import { createEditor } from '../keys/line-editor.ts';
import type { ViewState } from '../view.ts';
import { answersPermissions, selectPermission } from './select-permission.ts';

const personOnly: InLines = {
  instead:
    'only a person answers permission requests: with keys on a screen, or in a terminal that asks first',
};

/** Keys that answer an agent's permission request. Only a screen can answer, this one or an attached one: a file could be written by an agent. */
export const permitCommands: readonly Command[] = [
  answering('once', '1', 'once', 'allow just this call', 1),
  answering('session', '2', 'this session', 'allow exactly this command until this program ends', 2),
  answering('no', '3', 'no', 'refuse once; the agent decides how to continue', 3),
  {
    id: 'permission.why',
    context: 'permission',
    keys: ['4'],
    label: 'no, and why',
    description: 'tell the agent why; sending the text refuses the request',
    group: 'Decide',
    inLines: personOnly,
    footer: 4,
    available: (view) => {
      if (isTaskFile(view)) return 'No agent is asking here: press {permission.no} to refuse';
      if (answerable(view) === true && asker(view) === undefined)
        return 'The agent that asked is no longer working';
      return answerable(view);
    },
    run: (view) => {
      const asking = asker(view);
      const request = requestOf(view);
      if (request === null || asking === undefined) return [];
      const recipient = { target: asking.role, task: asking.task };
      const editor = createEditor();
      const overlay = {
        kind: 'compose',
        type: 'STEER',
        recipient,
        apply: null,
        refuses: request,
        editor,
      } as const;
      return [act({ type: 'overlay-closed' }), act({ type: 'overlay-opened', overlay })];
    },
  },
  {
    id: 'permission.revoke',
    context: 'needs-you',
    keys: ['x'],
    label: 'revoke',
    description: 'revoke what you allowed for this session; agents will ask again',
    group: 'Decide',
    inLines: personOnly,
    footer: 2,
    available: (view) =>
      (view.session?.remembered.size ?? 0) > 0 ? true : 'You have not allowed anything for this session',
    run: () => [perform({ type: 'revoke' })],
  },
];

function answering(
  decision: 'once' | 'session' | 'no',
  key: string,
  label: string,
  description: string,
  footer: number,
): Command {
  return {
    id: `permission.${decision}`,
    context: 'permission',
    keys: [key],
    label: (view) => (isTaskFile(view) ? (ofTaskFile[decision] ?? label) : label),
    description,
    group: 'Decide',
    inLines: personOnly,
    footer,
    available: (view) => {
      if (decision !== 'session') return answerable(view);
      if (isTaskFile(view))
        return 'Press {permission.once} to run these commands, {permission.no} for the previous ones';
      const once = selectPermission(view, requestOf(view) ?? '')?.once ?? null;
      return once === null ? answerable(view) : `Only once: ${once}`;
    },
    run: (view) => {
      const request = requestOf(view);
      return request === null
        ? []
        : [act({ type: 'overlay-closed' }), needAnswered, perform({ type: 'permit', request, decision })];
    },
  };
}

/** Labels at a task file whose commands were edited. */
const ofTaskFile: { readonly [decision: string]: string } = { once: 'run as edited', no: 'run as before' };

function isTaskFile(view: ViewState): boolean {
  return selectPermission(view, requestOf(view) ?? '')?.kind === 'task-file';
}

/** The invocation whose agent asks. */
function asker(view: ViewState): Invocation | undefined {
  const permission = selectPermission(view, requestOf(view) ?? '');
  return permission === null ? undefined : view.session?.invocations.get(permission.invocation);
}

function requestOf(view: ViewState): string | null {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'permission' ? top.request : null;
}

function answerable(view: ViewState): true | string {
  const request = requestOf(view);
  if (request === null || selectPermission(view, request) === null) return 'This request is no longer open';
  return answersPermissions(view);
}
