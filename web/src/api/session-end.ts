/** Whether the session has ended while the application was open. Set by any request that is refused as unauthenticated. */
type Listener = () => void;
const listeners = new Set<Listener>();
let ended = false;

export const sessionEnd = {
  get: (): boolean => ended,
  set: (value: boolean): void => {
    ended = value;
    listeners.forEach((listener) => listener());
  },
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Tells the application's other tabs and windows that the user has signed in. */
export const signInChannel = (): BroadcastChannel => new BroadcastChannel('tautan.signed-in');

/** Returns the address where signing in starts, and from which the browser returns to a path of this origin. */
export const signInAddress = (returnTo: string): string =>
  `/api/v1/auth/authorize?${new URLSearchParams({ returnTo }).toString()}`;
