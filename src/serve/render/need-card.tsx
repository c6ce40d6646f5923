/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Need } from '../../../components/needs/select-needs.ts';
import {
  questionTitle,
  selectChoices,
  selectQuestion,
  takesText,
} from '../../../components/question/select-question.ts';
import { safe } from '../../base/safe.ts';
import type { PageNeed } from '../../page/model/page-model.ts';
import { timeOfDay } from '../../page/render/words.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { LocalTime } from '../../words/local-time.ts';
import { optionWords } from '../../words/question-words.ts';
import { Form, Words } from './form.tsx';

interface Asked {
  /** The address of the session. */
  readonly base: string;
  readonly session: SessionState;
}

/** One thing that waits for a person, with all that the decision depends on, and the ways to decide it. */
export const NeedCard = ({
  need,
  shown,
  now,
  ...asked
}: Asked & { readonly need: Need; readonly shown: PageNeed; readonly now: LocalTime }) => (
  <article class="need">
    <p>
      <strong>{shown.text}</strong>{' '}
      <span class="facts">since {timeOfDay(need.since, new Date(now.ms).toISOString(), now.offset)}</span>
    </p>
    {shown.context.length === 0 ? null : (
      <pre tabindex={0} role="region" aria-label={`About: ${shown.text.slice(0, 80)}`}>
        {shown.context.join('\n')}
      </pre>
    )}
    <Ways {...asked} need={need} />
  </article>
);

const Ways = ({ base, session, need }: Asked & { readonly need: Need }) => {
  switch (need.kind) {
    case 'permission':
      return session.permissions.get(need.request)?.invocation === 'serve' ? (
        <p class="quiet">Only a key on a screen of the session confirms a device.</p>
      ) : (
        <Form base={base} action="permit" request={need.request}>
          <Words id={`why-${need.request}`} label="Why not (goes with Refuse)" />
          <div class="ways">
            <button type="submit" name="option" value="once" class="yes">
              Allow once
            </button>
            <button type="submit" name="option" value="no">
              Refuse
            </button>
          </div>
        </Form>
      );
    case 'knowledge':
      return (
        <div class="ways">
          <Form base={base} action="approve">
            <button type="submit" class="yes">
              Keep the lessons
            </button>
          </Form>
          <Form base={base} action="skip">
            <button type="submit">Keep none</button>
          </Form>
        </div>
      );
    case 'question':
      return <Question base={base} session={session} request={need.request} />;
    case 'issue':
    case 'unproven':
      return <p class="quiet">This is decided on a screen of the session.</p>;
  }
};

const Question = ({ base, session, request }: Asked & { readonly request: string }) => {
  const question = selectQuestion(session, request);
  if (question === null) return null;
  const { kind, task, document } = question;
  return (
    <>
      {kind === 'plan' || document !== undefined ? (
        <p>
          <a href={`${base}/plan/${encodeURIComponent(request)}`}>Read the plan, with comments</a>
        </p>
      ) : null}
      {kind === 'review' && task !== null ? (
        <p>
          <a href={`${base}/task/${encodeURIComponent(task)}`}>Look at the changes of {safe(task)}</a>
        </p>
      ) : null}
      <Answer base={base} session={session} request={request} />
    </>
  );
};

/** The choices of a question, and a field where words are an answer or go with one. */
export const Answer = ({
  base,
  session,
  request,
  children,
}: Asked & { readonly request: string; readonly children?: Child }) => {
  const question = selectQuestion(session, request);
  if (question === null) return null;
  const choices = selectChoices(question);
  return (
    <Form base={base} action="answer" request={request}>
      {children}
      {takesText(question) ? (
        <Words id={`words-${request}`} label={`${questionTitle(question)}: your words`} />
      ) : null}
      <div class="ways">
        {choices.map((choice, index) => (
          <button type="submit" name="option" value={choice.id} class={index === 0 ? 'yes' : ''}>
            {safe(optionWords(question.kind, choice))}
          </button>
        ))}
        {question.kind === 'ask' ? (
          <button type="submit" class={choices.length === 0 ? 'yes' : ''}>
            Send your words
          </button>
        ) : null}
      </div>
    </Form>
  );
};
