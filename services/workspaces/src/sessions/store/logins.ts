import { bytesOf } from '@tautan/kit/mongo';
import type { Login } from '../domain/login.js';
import type { Models } from '../../store/models.js';

export type LoginStore = ReturnType<typeof loginStore>;

export const loginStore = ({ logins }: Models) => ({
  async insert(login: Login): Promise<void> {
    await logins.insertMany([login]);
  },

  /** Removes and returns a pending sign-in, so that only one request can finish it; null if there is none. */
  async take(id: string): Promise<Login | null> {
    const found = await logins.findOneAndDelete({ _id: id }).lean<Login>();
    return found && { ...found, attempt: bytesOf(found.attempt) };
  },
});
