import { createPreference } from './preference.js';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const themePreference = createPreference<Theme>('tautan.theme', themes, 'system');

/** Applies the chosen theme to the document, now and after every change. */
export function applyTheme(root: HTMLElement): void {
  const apply = (): void => {
    const theme = themePreference.get();
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
  };
  themePreference.subscribe(apply);
  apply();
}
