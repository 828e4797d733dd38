import type { Messages } from '../../i18n/messages.js';
import { en } from './messages.en.js';
import { id } from './messages.id.js';

export const billingMessages: Messages<typeof en> = { en, id };
