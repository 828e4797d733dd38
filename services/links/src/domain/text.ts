import { checkLines, checkText } from '@tautan/kit';

export const checkTitle = (text: string): string => checkText('title', text, 200);
/** Checks a description, which may have several lines. */
export const checkDescription = (text: string): string => checkLines('description', text, 500);
