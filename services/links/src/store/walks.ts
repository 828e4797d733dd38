import { newUlid } from '@tautan/kit';
import type { Model } from 'mongoose';
import type { WalkChunk } from './models.js';

const CHUNK_IDS = 10_000;
const LIFE_MS = 3_600_000;

/** Orders of ids that were written down for an hour, so that a walk through them stands still. */
export class WalkStore {
  readonly chunkIds = CHUNK_IDS;

  constructor(private readonly model: Model<WalkChunk>) {}

  /** Writes ids down, chunk by chunk: all but the last of `chunkIds`. Answers the walk's id and its length. */
  async write(chunks: AsyncIterable<string[]>): Promise<{ walk: string; count: number }> {
    const walk = newUlid();
    const expireAt = new Date(Date.now() + LIFE_MS);
    let count = 0;
    for await (const ids of chunks) {
      await this.model.collection.insertOne({ _id: `${walk}/${count / CHUNK_IDS}`, ids, expireAt } as never);
      count += ids.length;
    }
    return { walk, count };
  }

  /** Up to `atMost` ids from an offset on, fewer at the end of a chunk; undefined for a walk that is gone. */
  async read(walk: string, offset: number, atMost: number): Promise<string[] | undefined> {
    const start = offset % CHUNK_IDS;
    const chunk = await this.model
      .findOne({ _id: `${walk}/${Math.floor(offset / CHUNK_IDS)}` })
      .select({ ids: { $slice: [start, atMost] } })
      .lean<WalkChunk>();
    return chunk?.ids;
  }
}
