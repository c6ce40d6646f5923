import type { IssueId } from '../../src/issues/issue.ts';

/** The choice on the start screen. */
export type Start =
  | { readonly what: 'plan'; readonly file: string }
  | { readonly what: 'goal'; readonly goal: string; readonly agent: string }
  /** `agent`: who works on every phase; `null` as the settings say. `listed`: the person saw the list of tasks. */
  | {
      readonly what: 'issue';
      readonly issue: IssueId;
      readonly agent: string | null;
      readonly listed?: true;
    }
  | { readonly what: 'checks' }
  | { readonly what: 'demo' };

/** The action after consent. `agreed` names the content that was shown, so that the consent covers nothing else. */
export type TrustedIntent =
  | {
      readonly type: 'start';
      readonly start: Start;
      readonly agreed?: string;
      /** Starts with the critical findings that were shown. */
      readonly despite?: true;
      /** Also while another session runs in the workspace. */
      readonly beside?: true;
    }
  /** This program becomes the host of the session on the screen. */
  | { readonly type: 'resume'; readonly agreed?: string }
  /** Converses by a skill over the session. `name: null`: the conversation that was left last. */
  | {
      readonly type: 'skill';
      readonly name: string | null;
      readonly argument: string;
      readonly agreed?: string;
    };
