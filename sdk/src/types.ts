import type { components, paths, webhooks } from './generated/api.js';

/** Records of the API by name: `Schemas['Link']`. */
export type Schemas = components['schemas'];

/** The API's paths, relative to `/api/v1`. */
export type Paths = { [P in keyof paths as P extends `/api/v1${infer Rest}` ? Rest : never]: paths[P] };

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** Paths that have an operation with this method. */
export type PathsWith<M extends Method> = {
  [P in keyof Paths]: NonNullable<Paths[P][M]> extends never ? never : P;
}[keyof Paths];

/** Paths of lists that are paginated by a cursor. */
export type PagedPaths = {
  [P in PathsWith<'get'>]: [QueryOf<Paths[P]['get']>] extends [never]
    ? never
    : 'cursor' extends keyof QueryOf<Paths[P]['get']>
      ? P
      : never;
}[PathsWith<'get'>];

type Parameters<O, Where extends 'path' | 'query'> = O extends { parameters: Record<Where, infer T> }
  ? NonNullable<T>
  : O extends { parameters: Partial<Record<Where, infer T>> }
    ? NonNullable<T>
    : never;
type QueryOf<O> = Parameters<O, 'query'>;

type Content<T> = T extends { content: infer C } ? C : never;
type BodyIn<C> = C extends { 'application/json': infer B } ? B : C extends object ? FormData : never;
/** The body of an operation. */
export type BodyOf<O> = O extends { requestBody: infer B } ? BodyIn<Content<NonNullable<B>>> : never;

/** A property that is absent, optional or required, depending on its type. */
type Part<Name extends string, T> = [T] extends [never]
  ? { [N in Name]?: never }
  : object extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };

type Body<T> = [T] extends [never] ? { body?: never } : { body: T };

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, retries included. The promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /**
   * Maximum time in ms of one attempt, including reading the response body (except for `fetch`); the client's
   * `timeoutMs` by default.
   */
  timeoutMs?: number;
  /** Workspace to work in; null for the user's last active one. The client's `workspaceId` by default. */
  workspaceId?: string | null;
  /** Key of a POST or PATCH, random by default; false sends none, so the call is not retried. */
  idempotencyKey?: string | false;
  headers?: Record<string, string>;
}

/** All options of a call: the operation's parameters and body, and the options of every call. */
export type Options<O> = Part<'path', Parameters<O, 'path'>> &
  Part<'query', QueryOf<O>> &
  Body<BodyOf<O>> &
  CallOptions;

/** The arguments after the path: optional unless the operation requires a parameter or a body. */
export type Args<O> = object extends Options<O> ? [options?: Options<O>] : [options: Options<O>];

type Success<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201 | 202)] : never;

/** `data` of an operation's successful response. */
export type DataOf<O> = Content<Success<O>> extends { 'application/json': { data: infer D } } ? D : unknown;

/** An entry of a list. */
export type EntryOf<O> = DataOf<O> extends (infer E)[] ? E : never;

/** A page of a list. */
export interface Page<T> {
  data: T[];
  /** Cursor of the next page; undefined on the last. */
  nextCursor: string | undefined;
}

/** An event as it is sent to webhook endpoints, discriminated by `type`. */
export type WebhookEvent = {
  [T in keyof webhooks]: webhooks[T] extends { post: { requestBody: { content: { 'application/json': infer B } } } }
    ? B
    : never;
}[keyof webhooks];
