import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { sessionEnd, signInAddress, signInChannel } from '../api/session-end.js';
import { useMessages } from '../i18n/messages.js';
import { Button, buttonClass } from '../ui/button.js';
import { Dialog, DialogText } from '../ui/dialog.js';
import { FormActions } from '../ui/form.js';
import { Logo } from './logo.js';
import { appMessages } from './messages.js';
import styles from './shell.module.css';

const POPUP_FEATURES = 'popup,width=520,height=720';

function Card({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tautan`;
  }, [title]);
  return (
    <main className={styles['center']}>
      <div className={styles['card']}>
        <Logo />
        <h1 tabIndex={-1}>{title}</h1>
        <p>{text}</p>
        {children}
      </div>
    </main>
  );
}

/** Asks the user to sign in, and then returns to a page of the application. */
export function SignInPage({ returnTo }: { returnTo: string }) {
  const t = useMessages(appMessages);
  return (
    <Card title={t.signInTitle} text={t.signInText}>
      <a className={buttonClass('primary')} href={signInAddress(returnTo)}>
        {t.signIn}
      </a>
    </Card>
  );
}

export const SignedOutPage = () => <SignInPage returnTo="/app" />;

/** Shown in the popup window after signing in again. Notifies the other windows and closes itself. */
export function SignedInPage() {
  const t = useMessages(appMessages);
  useEffect(() => {
    const channel = signInChannel();
    channel.postMessage(null);
    channel.close();
    window.close();
  }, []);
  return <Card title={t.signedInTitle} text={t.signedInText} />;
}

/**
 * Asks the user to sign in again when the session has ended. The page behind the dialog keeps its state and unsaved
 * input.
 */
export function SessionEndedDialog({ userId }: { userId: string | undefined }) {
  const t = useMessages(appMessages);
  const queries = useQueryClient();
  const ended = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.get);
  useEffect(() => {
    const channel = signInChannel();
    const resume = async (): Promise<void> => {
      sessionEnd.set(false);
      await queries.invalidateQueries();
      const session = queries.getQueryData<{ user: { id: string } | null }>(['session']);
      // If a different user signed in, they must not see the data of the previous one.
      if (session?.user?.id !== userId) location.reload();
    };
    channel.addEventListener('message', () => void resume());
    return () => channel.close();
  }, [queries, userId]);
  if (!ended) return null;
  const address = signInAddress('/app/signed-in');
  return (
    <Dialog title={t.sessionEnded}>
      <DialogText>{t.sessionEndedText}</DialogText>
      <FormActions>
        <Button variant="primary" onClick={() => window.open(address, 'tautan-sign-in', POPUP_FEATURES)}>
          {t.signIn}
        </Button>
      </FormActions>
    </Dialog>
  );
}
