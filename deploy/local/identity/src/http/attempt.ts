import { Refusal, type Page } from '@tautan/local-web';
import type { Problem } from '../pages/fields.js';

/** Handles a submitted form. Shows the form again with the error if it is rejected. */
export async function attempt<T>(
  act: () => Promise<T>,
  again: (problem: Problem, status: number) => Page,
): Promise<T | Page> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...again({ message: error.message, field: error.field }, error.status), retryAfter: error.retryAfter };
  }
}
