import { operatorServices } from '@tautan/proto/rpc';
import type { Connection } from 'mongoose';
import { fail } from '../errors.js';
import {
  renewSealedPage,
  shardCollections,
  shardedCollections,
  type DeadLetter,
  type DeadLetters,
  type SealedRecords,
} from '../mongo/index.js';
import { rpcTable, type RpcTable } from '../rpc/index.js';
import type { Sealing } from '../values/sealing.js';

const MAX_PAGE_SIZE = 200;

/** Returns `limit` as the page size. Throws VALIDATION_ERROR unless it is from 1 to 200. */
export function operatorPageSize(limit: number): number {
  if (limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  throw fail('VALIDATION_ERROR', `limit must be a whole number from 1 to ${MAX_PAGE_SIZE}.`, 'limit');
}

/** Operator calls for dead letters. */
export const deadLetterTable = (deadLetters: DeadLetters): RpcTable =>
  rpcTable(operatorServices.deadLetters, {
    ListDeadLetters: async (_call, { after, limit }) => {
      const size = operatorPageSize(limit);
      const found = await deadLetters.page(after, size + 1);
      return { deadLetters: found.slice(0, size).map(letterView), hasMore: found.length > size };
    },
    GetDeadLetter: async (_call, { id }) => {
      const letter = await deadLetters.find(id);
      return { ...letterView(letter), payload: letter.payload };
    },
    ReplayDeadLetter: async (_call, { id }) => letterView(await deadLetters.replay(id)),
  });

const letterView = ({ _id, subject, reason, at, payload }: DeadLetter) => ({
  id: _id,
  subject,
  reason,
  at: at.toISOString(),
  size: payload.length,
});

/** Operator calls for encrypted secrets. */
export const encryptionTable = (records: SealedRecords, sealing: Sealing): RpcTable =>
  rpcTable(operatorServices.encryption, {
    RenewEncryption: (_call, { after }) => renewSealedPage(records, sealing, after),
  });

/** Operator call for sharding a service's collections. */
export const shardingTable = (connection: Connection, models: object): RpcTable =>
  rpcTable(operatorServices.sharding, {
    ShardCollections: async (_call, { apply }) => {
      const states = await shardCollections(connection, shardedCollections(models), apply);
      const collections = states.map(({ collection, key, state }) => ({
        name: collection,
        key: JSON.stringify(key),
        state,
      }));
      return { database: connection.name, collections };
    },
  });
