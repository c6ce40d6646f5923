/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';

/** A form that changes something, once at a time. It is sent by script alone (`form-action 'none'`); `Outcome` says what came of it. */
export const Form = ({
  base,
  action,
  request,
  task,
  children,
}: {
  /** The address of the session. */
  readonly base: string;
  /** Absent: its buttons say what they do. */
  readonly action?: string;
  readonly request?: string;
  readonly task?: string;
  readonly children?: Child;
}) => (
  <form hx-post={`${base}/act`} {...sentOnce}>
    {action === undefined ? null : <input type="hidden" name="do" value={action} />}
    {request === undefined ? null : <input type="hidden" name="request" value={request} />}
    {task === undefined ? null : <input type="hidden" name="task" value={task} />}
    {children}
  </form>
);

/** How every form is sent: a second tap does nothing while the first is on its way. */
export const sentOnce = { 'hx-target': '#said', 'hx-swap': 'innerHTML', 'hx-sync': 'this:drop' } as const;

/** What came of the last form, at the foot of the page: the form itself is gone as soon as somebody has answered. */
export const Outcome = () => <output id="said" class="said" />;

/** A field for words. It keeps what a person types when the page around it changes. */
export const Words = ({
  id,
  label,
  name = 'message',
}: {
  readonly id: string;
  readonly label: string;
  readonly name?: string;
}) => (
  <label class="words">
    <span>{label}</span>
    <textarea id={idOf(id)} name={name} rows={2} maxlength={8000} hx-preserve="true" />
  </label>
);

/** The ways to send the words of a form to agents. */
export const SayWays = ({ children }: { readonly children?: Child }) => (
  <div class="ways">
    <button type="submit" name="do" value="steer" class="yes">
      Steer
    </button>
    <button type="submit" name="do" value="info">
      Inform
    </button>
    {children}
  </div>
);

/** An id that a selector may name, whatever the text. */
const idOf = (text: string): string =>
  `f-${[...text].map((char) => (/[A-Za-z0-9-]/.test(char) ? char : `_${char.codePointAt(0)?.toString(16) ?? ''}_`)).join('')}`;
