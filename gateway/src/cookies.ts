export const SESSION_COOKIE = 'tautan_session';
/** Binds a sign-in in progress to the browser that started it. */
export const LOGIN_COOKIE = 'tautan_login';

const AUTH_PATH = '/api/v1/auth';
const LOGIN_SECONDS = 600;

/** A cookie to set. All are HttpOnly and SameSite=Lax. */
export interface Cookie {
  name: string;
  value: string;
  path: string;
  /** Seconds; 0 removes the cookie. */
  maxAge: number;
}

/** Returns the cookie of a session that expires at `expiresAt` (ISO 8601). */
export const sessionCookie = (secret: string, expiresAt: string): Cookie => ({
  name: SESSION_COOKIE,
  value: secret,
  path: '/',
  maxAge: Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000)),
});
export const endedSessionCookie: Cookie = { name: SESSION_COOKIE, value: '', path: '/', maxAge: 0 };

export const loginCookie = (secret: string): Cookie => ({
  name: LOGIN_COOKIE,
  value: secret,
  path: AUTH_PATH,
  maxAge: LOGIN_SECONDS,
});
export const endedLoginCookie: Cookie = { name: LOGIN_COOKIE, value: '', path: AUTH_PATH, maxAge: 0 };

/** Returns the value of a Set-Cookie header (RFC 6265, 4.1). */
export function setCookie({ name, value, path, maxAge }: Cookie, secure: boolean): string {
  const cookie = `${name}=${encodeURIComponent(value)}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  return secure ? `${cookie}; Secure` : cookie;
}

/**
 * Returns the value of the first cookie of this name in a Cookie header (RFC 6265, 4.2); undefined if there is no such
 * cookie, or if its value is empty or malformed.
 */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  try {
    return decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim()) || undefined;
  } catch {
    return undefined;
  }
}
