import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './page.module.css';

/** Link from a page to the list that it belongs to. */
export const BackLink = ({ to, children }: { to: '/links' | '/qr-codes'; children: ReactNode }) => (
  <Link to={to} className={styles['back']}>
    <ArrowLeft aria-hidden />
    {children}
  </Link>
);
