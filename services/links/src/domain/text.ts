import { checkText } from '@tautan/kit';

export const checkTitle = (text: string): string => checkText('title', text, 200);
export const checkDescription = (text: string): string => checkText('description', text, 500);
