import type { MarkedSpan } from './marked-span.ts';

/** A line of code. In a diff, added and removed lines stand out. */
export const codeSpans = (text: string, language: string): readonly MarkedSpan[] => {
  const shown = text.replaceAll('\t', '    ');
  if (!/^(diff|patch)\b/i.test(language) || /^(\+\+\+|---)/.test(shown)) return [{ text: shown }];
  if (shown.startsWith('+')) return [{ text: shown, role: 'added' }];
  return [shown.startsWith('-') ? { text: shown, role: 'removed' } : { text: shown }];
};
