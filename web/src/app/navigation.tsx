import { Link, useLocation } from '@tanstack/react-router';
import { MenuIcon, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../api/session-context.js';
import { includesRole } from '../api/session.js';
import { features } from '../features/features.js';
import { useMessages } from '../i18n/messages.js';
import { Button } from '../ui/button.js';
import { modals } from '../ui/modals.js';
import { AccountMenu } from './account-menu.js';
import { Logo } from './logo.js';
import { appMessages } from './messages.js';
import type { NavEntry } from './nav-entry.js';
import styles from './shell.module.css';
import { WorkspaceSwitcher } from './workspace-switcher.js';

const entries: readonly NavEntry[] = features.map(({ nav }) => nav);

/** The workspace, the navigation and the account: at the side of a wide window, in a drawer on phones. */
export function SidePanel() {
  const t = useMessages(appMessages);
  const { workspace } = useSession();
  const visible = workspace ? entries.filter(({ role }) => includesRole(workspace.role, role ?? 'viewer')) : [];
  return (
    <div className={styles['panel']}>
      <Link to="/" className={styles['brand']}>
        <Logo /> Tautan
      </Link>
      <WorkspaceSwitcher />
      <nav aria-label={t.navigation} className={styles['nav']}>
        <ul className={styles['list']}>
          {visible.map(({ name, icon: Icon, to }) => (
            <li key={name}>
              <Link to={to} className={styles['link']}>
                <Icon aria-hidden />
                {t.nav[name]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <AccountMenu />
    </div>
  );
}

/** The bar at the top of the page on phones. Its button opens the navigation. */
export function MobileBar() {
  const t = useMessages(appMessages);
  const drawer = useRef<HTMLDialogElement>(null);
  const close = useRef<() => void>(undefined);
  const { pathname } = useLocation();
  // Closes the drawer when the user navigates.
  useEffect(() => () => close.current?.(), [pathname]);
  const open = (): void => {
    close.current = modals.show(drawer.current!);
  };
  // The browser closes the drawer on Escape. Events of dialogs within the drawer arrive here too.
  const closedByBrowser = (): void => {
    if (!drawer.current?.open) close.current?.();
  };
  return (
    <header className={styles['top']}>
      <Button variant="quiet" icon aria-label={t.openNavigation} onClick={open}>
        <MenuIcon aria-hidden />
      </Button>
      <Link to="/" className={styles['brand']}>
        <Logo /> Tautan
      </Link>
      <dialog
        ref={drawer}
        id="navigation-drawer"
        className={styles['drawer']}
        aria-label={t.navigation}
        onClose={closedByBrowser}
      >
        <div className={styles['panel']}>
          <Button
            variant="quiet"
            icon
            className={styles['close']}
            aria-label={t.closeNavigation}
            onClick={() => close.current?.()}
          >
            <X aria-hidden />
          </Button>
          <SidePanel />
        </div>
      </dialog>
    </header>
  );
}
