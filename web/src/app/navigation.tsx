import { Link, useLocation } from '@tanstack/react-router';
import { MenuIcon, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../api/session-context.js';
import { includesRole } from '../api/session.js';
import { features } from '../features/features.js';
import { useMessages } from '../i18n/messages.js';
import { Button } from '../ui/button.js';
import { AccountMenu } from './account-menu.js';
import type { NavEntry } from './feature.js';
import { Logo } from './logo.js';
import { appMessages } from './messages.js';
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
  const { pathname } = useLocation();
  useEffect(() => drawer.current?.close(), [pathname]);
  return (
    <header className={styles['top']}>
      <Button variant="quiet" icon aria-label={t.openNavigation} onClick={() => drawer.current?.showModal()}>
        <MenuIcon aria-hidden />
      </Button>
      <Link to="/" className={styles['brand']}>
        <Logo /> Tautan
      </Link>
      <dialog ref={drawer} className={styles['drawer']} aria-label={t.navigation}>
        <div className={styles['panel']}>
          <Button
            variant="quiet"
            icon
            className={styles['close']}
            aria-label={t.closeNavigation}
            onClick={() => drawer.current?.close()}
          >
            <X aria-hidden />
          </Button>
          <SidePanel />
        </div>
      </dialog>
    </header>
  );
}
