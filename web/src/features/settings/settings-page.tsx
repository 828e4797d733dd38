import { useState } from 'react';
import { useCan, useSession } from '../../api/session-context.js';
import { languageNames, languagePreference, languages } from '../../i18n/language.js';
import { useMessages } from '../../i18n/messages.js';
import { usePreference } from '../../preferences/preference.js';
import { themePreference, themes } from '../../preferences/theme.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Form, FormActions, SelectField, TextField, textOf } from '../../ui/form.js';
import { uiMessages } from '../../ui/messages.js';
import { Page } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { settingMessages } from './messages.js';
import { Sessions } from './sessions.js';
import { useLeaveWorkspace, useRenameWorkspace } from './settings.js';

/** Settings of the workspace, of this browser, and of the user's account. */
export function SettingsPage() {
  const t = useMessages(settingMessages);
  const isOwner = useCan('owner');
  const canRename = useCan('admin');
  return (
    <Page title={t.title} lead={t.lead}>
      {canRename && <WorkspaceName />}
      <Appearance />
      <Sessions />
      {!isOwner && <Leave />}
    </Page>
  );
}

function WorkspaceName() {
  const t = useMessages(settingMessages);
  const ui = useMessages(uiMessages);
  const { workspace } = useSession();
  const { mutate, error, isPending } = useRenameWorkspace();
  const rename = (values: FormData): void =>
    mutate(textOf(values, 'name'), { onSuccess: ({ name }) => toast(t.renamed(name)) });
  return (
    <Card title={t.workspace} lead={t.workspaceLead}>
      <Form error={error} fields={['name']} onSubmit={rename}>
        <TextField name="name" label={t.name} defaultValue={workspace?.name} autoComplete="organization" />
        <FormActions>
          <Button variant="primary" type="submit" disabled={isPending}>
            {ui.save}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function Appearance() {
  const t = useMessages(settingMessages);
  const language = usePreference(languagePreference);
  const theme = usePreference(themePreference);
  const setLanguage = (text: string): void => languages.filter((each) => each === text).forEach(languagePreference.set);
  const setTheme = (text: string): void => themes.filter((each) => each === text).forEach(themePreference.set);
  return (
    <Card title={t.appearance} lead={t.appearanceLead}>
      <Form error={null} fields={[]} onSubmit={() => undefined}>
        <SelectField name="language" label={t.language} value={language} onChange={(e) => setLanguage(e.target.value)}>
          {languages.map((each) => (
            <option key={each} value={each} lang={each}>
              {languageNames[each]}
            </option>
          ))}
        </SelectField>
        <SelectField name="theme" label={t.theme} value={theme} onChange={(e) => setTheme(e.target.value)}>
          {themes.map((each) => (
            <option key={each} value={each}>
              {t.themes[each]}
            </option>
          ))}
        </SelectField>
      </Form>
    </Card>
  );
}

function Leave() {
  const t = useMessages(settingMessages);
  const { workspace } = useSession();
  const [asking, setAsking] = useState(false);
  const leave = useLeaveWorkspace();
  return (
    <Card
      title={t.leave}
      lead={t.leaveLead}
      actions={
        <Button variant="danger" onClick={() => setAsking(true)}>
          {t.leaveAction}
        </Button>
      }
    >
      {asking && (
        <ConfirmDialog
          title={t.leaveTitle(workspace?.name ?? '')}
          text={t.leaveText}
          action={t.leaveAction}
          mutation={leave}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
