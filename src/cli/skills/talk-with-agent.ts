import { safe } from '../../base/safe.ts';
import { ask, type Question } from '../../session/forms/question.ts';
import type { AgentQuestion } from '../../skills/agent/reply-parts.ts';
import { documentIn } from '../../skills/documents/check-document.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import { acceptOverstepped } from './accept-overstepped.ts';
import { nextCommands, stepLeft } from './after-keeping.ts';
import { type AgentTalk, answerTo, exchange, stopped, wordsOf } from './exchange.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';

/** No words of a person: `end` may answer the agent. */
const keepIt = '=keep';
const endIt = '=end';

type Kept = () => Promise<readonly string[] | null>;

/**
 * Converses until the person ends or leaves. No prompt is sent but the first one and what the person says, and one repair of a document. `keep` keeps the
 * document after the person agreed, and `after` asks what follows. Both return sentences; `null`: the person left.
 */
export const talkWithAgent = async (
  run: SkillRun,
  talk: AgentTalk,
  { keep, after }: { readonly keep: Kept; readonly after: Kept },
): Promise<SkillEnd> => {
  const { journal } = run;
  const follow = async (step: Kept): Promise<SkillEnd | null> => {
    const lines = await step().catch((error: unknown) => stopped(run, error));
    if (lines === null) return { ended: 'left', lines: [] };
    if ('ended' in lines) return lines;
    for (const line of lines) journal.add({ type: 'said', by: 'program', text: line });
    return null;
  };
  // A question after keeping is asked again first.
  const left = stepLeft(journal.talk()) === null ? null : await follow(after);
  if (left !== null) return left;
  let words: string | null = journal.talk().session === null ? talk.first() : null;
  // An open question from before the person left is asked again, without another call of the model.
  let question: AgentQuestion | null = words === null ? leftQuestion(journal.talk()) : null;
  for (let turn = journal.talk().turns.length; ; turn += 1) {
    if (words !== null) {
      const said = await exchange(run, talk, words).catch((error: unknown) => stopped(run, error));
      if ('ended' in said) return said;
      question = said.question;
    }
    const next = nextQuestion(talk.document, journal.talk(), question, turn);
    const answer = await answerTo(run, next);
    if (answer === null) return { ended: 'left', lines: [] };
    const isOffered = next.options.some(({ id }) => id === answer);
    if (isOffered && answer === endIt) return concluded(run, talk);
    const isKept = isOffered && answer === keepIt;
    words = isKept ? null : wordsOf(next, answer);
    if (!isKept) continue;
    const accepted = await acceptOverstepped(run);
    if (accepted === false) continue;
    if (accepted === null) return { ended: 'left', lines: [] };
    const end = (await follow(keep)) ?? (await follow(after));
    if (end !== null) return end;
  }
};

/** The agent's question that was open when the person left; `null` where it asked nothing. */
const leftQuestion = ({ open }: Talk): AgentQuestion | null => {
  if (open === null || !open.id.startsWith('say-') || open.text === usual) return null;
  const options = open.options.filter(({ id }) => id !== keepIt && id !== endIt);
  return { text: open.text, options, several: false };
};

/** What the program asks where the agent asked nothing. */
const usual = 'What do you say?';

const nextQuestion = (
  name: AgentTalk['document'],
  talk: Talk,
  question: AgentQuestion | null,
  turn: number,
): Question => {
  const isIssue = name !== null && documentIn(name, talk.document) === 'issue';
  // An issue of a draft that was made is made once.
  const isKept = isIssue ? talk.made.length > 0 : talk.about?.text === talk.document;
  const problems =
    talk.problems.length === 0 ? '' : `The document is not complete: ${talk.problems.join(' ')}`;
  const keep =
    talk.document === '' || isKept || (isIssue && talk.problems.length > 0)
      ? []
      : [
          {
            id: keepIt,
            label: isIssue
              ? 'create the issue'
              : talk.problems.length === 0
                ? 'keep the document'
                : 'keep it as a draft',
            detail: '',
          },
        ];
  return ask(`say-${turn}`, 'words', question?.text ?? usual, {
    help: problems,
    options: [
      ...(question?.options ?? []),
      ...keep,
      { id: endIt, label: 'end the conversation', detail: '' },
    ],
  });
};

const concluded = ({ journal }: SkillRun, { document: name }: AgentTalk): SkillEnd => {
  journal.add({ type: 'ended', why: 'done' });
  const { kept, document, about, made } = journal.talk();
  const kind = name === null ? null : documentIn(name, document);
  if (kind === 'issue')
    return {
      ended: 'done',
      lines: [
        made.length === 0
          ? 'Nothing was created.'
          : `Created: ${made.map(({ id, title }) => safe(`${id}: ${title}`)).join(', ')}`,
      ],
    };
  if (kept !== null && about?.text === document)
    return { ended: 'done', lines: [`Kept: ${safe(kept.path)}`, ...nextCommands(kind, kept.path)] };
  return {
    ended: 'done',
    lines: [
      document === ''
        ? 'No document was submitted.'
        : `The last document was not kept; it is in the conversation ${journal.id}.`,
    ],
  };
};
