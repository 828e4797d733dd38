import type { Adapter, AdapterPayload, errors as oidcErrors } from 'oidc-provider';
import type { Change, State } from '@tautan/append-log';
import { sealUnder, unsealUnder } from './sealed.js';
import { hashOf, type StorageKeys } from './storage-keys.js';

interface StoredPayload extends Record<string, unknown> {
  grantId?: string;
  uid?: string;
  /** Seconds since 1970. */
  exp?: number;
  consumed?: unknown;
}

/** A stored model of oidc-provider. Never contains its id, because the id is the token. */
interface Stored {
  payload?: StoredPayload;
  /** The payload, encrypted with a key derived from the id. */
  sealed?: string;
  userCodeHash?: string;
}

/** Models that are revoked together with their grant. */
const grantModels = ['AuthorizationCode', 'DeviceCode', 'RefreshToken'];

/** Time in ms for which an expired model is stored, so that it can be reported as expired. */
const GRACE_MS = 10 * 60_000;

const removalTime = (exp: number | undefined): number | undefined =>
  exp === undefined ? undefined : exp * 1000 + GRACE_MS;

export interface AdapterDeps {
  state: State;
  keys: StorageKeys;
  errors: typeof oidcErrors;
}

/**
 * Stores one kind of model of oidc-provider (sessions, codes, refresh tokens, grants) under the SHA-256 of the models'
 * ids. Stored data cannot be presented as a credential.
 */
export class StateAdapter implements Adapter {
  readonly #kind: string;

  constructor(
    private readonly model: string,
    private readonly deps: AdapterDeps,
  ) {
    this.#kind = `oidc.${model}`;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { state, keys } = this.deps;
    // The reuse of an older code or token can revoke the grant while a new code or token is being created. In that
    // case, the new code or token is not stored.
    if (grantModels.includes(this.model) && payload.grantId && !this.#hasGrant(payload.grantId)) return;
    const exp = payload.exp ?? (expiresIn && Math.ceil(Date.now() / 1000) + expiresIn);
    const key = keys.keyOf(id);
    await state.write([this.#kind, key, this.#stored(id, key, payload), removalTime(exp)]);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const stored = this.#get(this.deps.keys.keyOf(id));
    if (!stored) return undefined;
    const payload = stored.sealed === undefined ? stored.payload : unsealUnder(id, stored.sealed);
    return payload && { ...payload, jti: id };
  }

  /**
   * Marks a single-use model as consumed. The second of two concurrent requests with the same code or token is a
   * replay: it is rejected and the whole grant is revoked (RFC 6749 section 4.1.2, RFC 9700 section 4.14.2).
   */
  async consume(id: string): Promise<void> {
    const { state, keys, errors } = this.deps;
    const key = keys.keyOf(id);
    const stored = this.#get(key);
    const payload = stored?.payload;
    if (!payload || payload.consumed) {
      if (payload?.grantId) await this.#revoke(payload.grantId);
      throw new errors.InvalidGrant('it has already been used');
    }
    const consumed = { ...payload, consumed: Math.floor(Date.now() / 1000) };
    await state.write([this.#kind, key, { ...stored, payload: consumed }, removalTime(payload.exp)]);
  }

  async destroy(id: string): Promise<void> {
    const key = this.deps.keys.keyOf(id);
    if (this.#get(key)) await this.deps.state.write([this.#kind, key]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    const deletions = this.#deletionsFor(this.#kind, grantId);
    if (deletions.length > 0) await this.deps.state.write(...deletions);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#first(({ payload }) => payload?.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const hash = hashOf(userCode);
    const found = this.#first(({ userCodeHash }) => userCodeHash === hash);
    return found && { ...found, userCode };
  }

  #get(key: string): Stored | undefined {
    return this.deps.state.get<Stored>(this.#kind, key);
  }

  #stored(id: string, key: string, { jti: _id, ...payload }: AdapterPayload): Stored {
    // The payload of an interaction contains secrets: the device code, the session's id, and the interaction's id in a
    // URL.
    if (this.model === 'Interaction') return { sealed: sealUnder(id, payload) };
    if (this.model !== 'DeviceCode') return { payload };
    const { userCode, ...rest } = payload;
    // A model that was found by its device code has no user code in its payload. If the payload has no user code, keep
    // the stored hash of the user code.
    const userCodeHash = typeof userCode === 'string' ? hashOf(userCode) : this.#get(key)?.userCodeHash;
    return { payload: rest, ...(userCodeHash !== undefined && { userCodeHash }) };
  }

  #first(matches: (stored: Stored) => boolean): AdapterPayload | undefined {
    const { state, keys } = this.deps;
    for (const [key, stored] of state.all<Stored>(this.#kind))
      if (matches(stored)) return { ...stored.payload, jti: keys.referenceTo(key) };
    return undefined;
  }

  #hasGrant(grantId: string): boolean {
    const { state, keys } = this.deps;
    return state.get('oidc.Grant', keys.keyOf(grantId)) !== undefined;
  }

  async #revoke(grantId: string): Promise<void> {
    const { state, keys } = this.deps;
    const deletions = grantModels.flatMap((model) => this.#deletionsFor(`oidc.${model}`, grantId));
    await state.write(...deletions, ['oidc.Grant', keys.keyOf(grantId)]);
  }

  /** Returns the changes that delete the models of a grant. */
  #deletionsFor(kind: string, grantId: string): Change[] {
    const entries = [...this.deps.state.all<Stored>(kind)];
    return entries.filter(([, { payload }]) => payload?.grantId === grantId).map(([key]) => [kind, key]);
  }
}
