import type { Form } from './forms/form.ts';
import { type GuidanceOffers, guidanceForm } from './guidance/guidance-form.ts';
import type { SetupOffers } from './setup/questions.ts';
import { setupForm } from './setup/setup-form.ts';

/** The forms of the program as data, for the view and for intents. */
export type FormSubject =
  /** `ralph-tui guidance`, and the questions before a loop. */
  | { readonly kind: 'guidance'; readonly offers: GuidanceOffers }
  /** `ralph-tui init` */
  | { readonly kind: 'setup'; readonly offers: SetupOffers };

export const formOf = (subject: FormSubject): Form =>
  subject.kind === 'guidance' ? guidanceForm(subject.offers) : setupForm(subject.offers);
