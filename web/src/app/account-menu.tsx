import { useMutation } from '@tanstack/react-query';
import { ChevronsUpDown, LogOut } from 'lucide-react';
import { tabWorkspace } from '../api/client.js';
import { useErrorText } from '../api/errors.js';
import { useApi, useSession } from '../api/session-context.js';
import { languageNames, languagePreference, languages } from '../i18n/language.js';
import { useMessages } from '../i18n/messages.js';
import { usePreference } from '../preferences/preference.js';
import { themePreference, themes } from '../preferences/theme.js';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.js';
import { VisuallyHidden } from '../ui/states.js';
import { toast } from '../ui/toast.js';
import { appMessages } from './messages.js';
import styles from './shell.module.css';

/** The signed-in user, and their menu: language, theme, sign out. */
export function AccountMenu() {
  const t = useMessages(appMessages);
  const { user } = useSession();
  const { mutate: signOut } = useSignOut();
  const name = user?.name ?? '';
  const trigger = (
    <button type="button" className={styles['menuButton']}>
      <span aria-hidden className={`${styles['avatar']} ${styles['person']}`}>
        {[...name][0]?.toUpperCase()}
      </span>
      <span className={styles['menuButtonText']}>
        <VisuallyHidden>{t.account}: </VisuallyHidden>
        {name}
        <small>{user?.email}</small>
      </span>
      <ChevronsUpDown aria-hidden />
    </button>
  );
  return (
    <Menu align="start" trigger={trigger}>
      <MenuLabel>{user?.email}</MenuLabel>
      <MenuSeparator />
      <Preferences />
      <MenuSeparator />
      <MenuItem onSelect={() => signOut()}>
        <LogOut aria-hidden />
        {t.signOut}
      </MenuItem>
    </Menu>
  );
}

function Preferences() {
  const t = useMessages(appMessages);
  const language = usePreference(languagePreference);
  const theme = usePreference(themePreference);
  return (
    <>
      <MenuChoice
        label={t.language}
        value={language}
        options={languages.map((value) => ({ value, text: languageNames[value] }))}
        onChange={languagePreference.set}
      />
      <MenuChoice
        label={t.theme}
        value={theme}
        options={themes.map((value) => ({ value, text: t.themes[value] }))}
        onChange={themePreference.set}
      />
    </>
  );
}

function useSignOut() {
  const api = useApi();
  const describe = useErrorText();
  return useMutation({
    mutationFn: () => api.post('/auth/logout'),
    onSuccess: () => {
      tabWorkspace.clear();
      // Load a new document, so that no data of this user stays in memory.
      location.assign('/app/signed-out');
    },
    onError: (error) => toast(describe(error)),
  });
}
