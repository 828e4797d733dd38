import type { LucideIcon } from 'lucide-react';
import type { Role } from '../api/session.js';
import type { NavName } from './messages.js';

/** An entry of the main navigation. */
export interface NavEntry {
  name: NavName;
  icon: LucideIcon;
  /** Path of the page, without `/app`. */
  to: string;
  /** Minimum role that sees the entry. Every role by default. */
  role?: Role;
}
