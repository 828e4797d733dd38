type Listener = () => void;
const listeners = new Set<Listener>();
let ended = false;

/** Whether the session has ended while the application was open. Set when a request is rejected as unauthenticated. */
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

/** Opens the channel on which a window of the application tells the others that the user has signed in. */
export const signInChannel = (): BroadcastChannel => new BroadcastChannel('tautan.signed-in');

/** Returns the URL that starts a sign-in. Afterwards, the browser returns to the path `returnTo` of this origin. */
export const signInAddress = (returnTo: string): string =>
  `/api/v1/auth/authorize?${new URLSearchParams({ returnTo }).toString()}`;
