import { TautanError } from '@tautan/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './errors.js';
import { sessionEnd } from './session-end.js';

const noteSignOut = (error: Error): void => {
  if (isSignedOut(error)) sessionEnd.set(true);
};

/** Creates the cache of API responses. It does not retry, because the client library does. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: noteSignOut }),
    mutationCache: new MutationCache({ onError: noteSignOut }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: false,
        // A user who is offline sees what is cached and a banner, rather than a paused request.
        networkMode: 'always',
        throwOnError: (error) => !(error instanceof TautanError),
      },
      mutations: { networkMode: 'always' },
    },
  });
