import { Tautan, type CredentialSource } from '@tautan/sdk';
import { userAgent } from '../version.js';
import { cliError } from './failure.js';

/** The methods that call the API. They throw `CliError`. */
export type Api = Pick<Tautan, 'get' | 'post' | 'patch' | 'delete' | 'page' | 'fetch'>;

export interface ApiOptions {
  url: string;
  workspaceId?: string | undefined;
  /** If absent, only public operations can be called. */
  credential?: CredentialSource;
}

/** Returns a client of the API at a service URL. */
export function apiClient({ url, workspaceId, credential }: ApiOptions): Api {
  const headers = { 'user-agent': userAgent };
  const tautan = new Tautan({ baseUrl: url, workspaceId, headers, ...(credential && { credential }) });
  const withCliErrors = <Name extends keyof Api>(name: Name): Api[Name] => {
    const call = tautan[name].bind(tautan) as (...parameters: unknown[]) => Promise<unknown>;
    const wrapped = (...parameters: unknown[]): Promise<unknown> =>
      call(...parameters).catch((error: unknown) => {
        throw cliError(url, error);
      });
    return wrapped as Api[Name];
  };
  return {
    get: withCliErrors('get'),
    post: withCliErrors('post'),
    patch: withCliErrors('patch'),
    delete: withCliErrors('delete'),
    page: withCliErrors('page'),
    fetch: withCliErrors('fetch'),
  };
}
