import { monotonicFactory } from 'ulid';

export type IdPrefix = 'lnk' | 'qr' | 'tag' | 'dom' | 'ws' | 'usr' | 'mem' | 'key' | 'evt' | 'req' | 'clk';

const next = monotonicFactory();

/** A new ULID, lower case: 26 characters that sort by time of creation. */
export const newUlid = (atMs?: number): string => next(atMs).toLowerCase();

/** A new id: prefix, `_`, ULID in lower case. */
export const newId = (prefix: IdPrefix, atMs?: number): string => `${prefix}_${newUlid(atMs)}`;

const idForm = /^(?:lnk|qr|tag|dom|ws|usr|mem|key|whe|whd|evt|aud|inv|sub|req)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the form of an id: of any kind, or of the one given. */
export const isId = (text: string, prefix?: IdPrefix): boolean =>
  idForm.test(text) && (prefix === undefined || text.startsWith(`${prefix}_`));
