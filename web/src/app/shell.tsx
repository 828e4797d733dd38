import { Outlet, useLocation } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { isSignedOut } from '../api/errors.js';
import { SessionProvider, useSessionQuery } from '../api/session-context.js';
import type { Session } from '../api/session.js';
import { useMessages } from '../i18n/messages.js';
import { Loaded } from '../ui/states.js';
import { appMessages } from './messages.js';
import { MobileBar, SidePanel } from './navigation.js';
import { NoWorkspacePage } from './no-workspace.js';
import styles from './shell.module.css';
import { SessionEndedDialog, SignInPage } from './sign-in.js';

/** The frame of all pages for signed-in users: navigation, banner, content. Shows the sign-in page to others. */
export function Shell() {
  const query = useSessionQuery();
  const { href } = useLocation();
  if (query.data) return <SignedIn session={query.data} />;
  if (isSignedOut(query.error)) return <SignInPage returnTo={`/app${href}`} />;
  return <Loaded query={query}>{() => null}</Loaded>;
}

function SignedIn({ session }: { session: Session }) {
  const t = useMessages(appMessages);
  return (
    <SessionProvider session={session}>
      <a href="#content" className={styles['skip']}>
        {t.skip}
      </a>
      <div className={styles['shell']}>
        <aside className={styles['side']}>
          <SidePanel />
        </aside>
        <MobileBar />
        <main id="content" tabIndex={-1} className={styles['main']}>
          <OfflineBanner />
          {session.workspace ? <Outlet key={session.workspace.id} /> : <NoWorkspacePage />}
        </main>
      </div>
      <SessionEndedDialog userId={session.user?.id} />
    </SessionProvider>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

function OfflineBanner() {
  const t = useMessages(appMessages);
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  return <div role="status">{!isOnline && <p className={styles['banner']}>{t.offline}</p>}</div>;
}
