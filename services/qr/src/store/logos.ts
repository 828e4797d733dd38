import { bytesOf, isDuplicateKey } from '@tautan/kit/mongo';
import type { Model } from 'mongoose';

/** A logo as it is kept; it never changes. */
export interface Logo {
  /** lgo_… */
  _id: string;
  workspaceId: string;
  /** PNG. */
  content: Buffer;
  /** Pixels. */
  width: number;
  height: number;
  /** Of the file that it was made from. */
  sha256: string;
  createdAt: Date;
}

/** Logos. Every method but `existsAnywhere` keeps to one workspace. */
export class LogoStore {
  constructor(private readonly model: Model<Logo>) {}

  async byId(workspaceId: string, id: string): Promise<Logo | null> {
    return whole(await this.model.findOne({ _id: id, workspaceId }).lean<Logo>().exec());
  }

  /** The logo that was made from a file. */
  async bySource(workspaceId: string, sha256: string): Promise<Logo | null> {
    return whole(await this.model.findOne({ workspaceId, sha256 }).lean<Logo>().exec());
  }

  async exists(workspaceId: string, id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id, workspaceId })) !== null;
  }

  /** Whether any workspace has a logo of this id. */
  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id })) !== null;
  }

  /** Keeps a logo; answers it, or the one that was made from the same file meanwhile. */
  async insert(logo: Logo): Promise<Logo> {
    try {
      await this.model.collection.insertOne(logo as never);
      return logo;
    } catch (error) {
      const other = isDuplicateKey(error) ? await this.bySource(logo.workspaceId, logo.sha256) : null;
      if (other) return other;
      throw error;
    }
  }
}

const whole = (stored: Logo | null): Logo | null => stored && { ...stored, content: bytesOf(stored.content) };
