import { type Need, selectNeeds } from '../../../components/needs/select-needs.ts';
import { permissionRows } from '../../../components/permission/select-permission.ts';
import { selectChoices, selectQuestion } from '../../../components/question/select-question.ts';
import type { ViewState } from '../../../components/view.ts';
import { safe } from '../../base/safe.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { isComplete } from '../../session/status.ts';
import { optionWords } from '../../words/question-words.ts';
import type { PageNeed } from './page-model.ts';

/** Columns of a permission's parts. */
const columns = 120;

/** What waits for a person, the oldest first. Nothing waits in a session that has ended. */
export const pageNeeds = (view: ViewState): readonly PageNeed[] => {
  const { session } = view;
  if (session === null || isComplete(session)) return [];
  // A journal that is played back needs nobody, and the page is of the session itself.
  return selectNeeds({ ...view, connection: 'attached' }).map((need) => ({
    kind: need.kind,
    text: need.text,
    since: need.since,
    ...contextOf(session, need),
  }));
};

const contextOf = (session: SessionState, need: Need): Pick<PageNeed, 'context' | 'options'> => {
  switch (need.kind) {
    case 'knowledge':
      return { context: (session.gate?.files ?? []).map(safe), options: ['approve', 'skip'] };
    case 'permission': {
      const permission = session.permissions.get(need.request);
      if (permission === undefined) return { context: [], options: [] };
      const rows = permissionRows(permission, session.workspace, columns);
      const signs = { added: '+ ', removed: '- ', label: '', command: '' } as const;
      return {
        context: rows
          .map(({ kind, label, text }) =>
            `${label === '' ? '' : `${label}: `}${signs[kind]}${text}`.trimEnd(),
          )
          .filter((line) => line !== ''),
        options: ['allow once', ...(permission.once === null ? ['allow for the session'] : []), 'refuse'],
      };
    }
    case 'question': {
      const question = selectQuestion(session, need.request);
      return {
        context: [],
        options:
          question === null
            ? []
            : selectChoices(question).map((choice) => safe(optionWords(question.kind, choice))),
      };
    }
    case 'issue':
      return { context: [], options: [`ralph-tui issues move ${safe(need.issue)} STATE`] };
    case 'unproven':
      return { context: [], options: ['confirm', 'withdraw'] };
  }
};
