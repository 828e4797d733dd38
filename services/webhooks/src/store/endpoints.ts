import { driverCollection, bytesOf } from '@tautan/kit/mongo';
import type { ClientSession } from 'mongoose';
import type { Endpoint, StoredSecret } from '../domain/endpoint.js';
import type { Models } from './models.js';

export type EndpointStore = ReturnType<typeof endpointStore>;

const fromStored = (stored: Endpoint): Endpoint => ({
  ...stored,
  secrets: stored.secrets.map((secret: StoredSecret) => ({ ...secret, sealed: bytesOf(secret.sealed) })),
});

export const endpointStore = ({ endpoints }: Models) => ({
  /** Rejects with a duplicate key error if the workspace has an endpoint with one of the URLs. */
  async insert(created: Endpoint[], session: ClientSession): Promise<void> {
    await driverCollection(endpoints).insertMany(created, { session });
  },

  /** Returns those of the given URLs that endpoints of the workspace use. */
  async existingUrls(workspaceId: string, urls: string[]): Promise<Set<string>> {
    const found = await endpoints
      .find({ workspaceId, url: { $in: urls } })
      .select({ url: 1 })
      .lean<Pick<Endpoint, 'url'>[]>();
    return new Set(found.map(({ url }) => url));
  },

  async byId(id: string, session: ClientSession | null = null): Promise<Endpoint | null> {
    const found = await endpoints.findById(id).session(session).lean<Endpoint>();
    return found && fromStored(found);
  },

  async byIds(ids: string[]): Promise<Endpoint[]> {
    return (await endpoints.find({ _id: { $in: ids } }).lean<Endpoint[]>()).map(fromStored);
  },

  /** Returns all endpoints of a workspace, newest first. */
  async list(workspaceId: string): Promise<Endpoint[]> {
    return (await endpoints.find({ workspaceId }).sort({ _id: -1 }).lean<Endpoint[]>()).map(fromStored);
  },

  /** Returns the subscriptions of the active endpoints of the given workspaces. */
  subscriptions(workspaceIds: string[]): Promise<Subscription[]> {
    return endpoints
      .find({ workspaceId: { $in: workspaceIds }, active: true })
      .select({ workspaceId: 1, events: 1 })
      .lean<Subscription[]>()
      .exec();
  },

  /** Rejects with a duplicate key error if the workspace has another endpoint with this URL. */
  async update(id: string, set: Partial<Endpoint>, session: ClientSession): Promise<void> {
    await endpoints.updateOne({ _id: id }, { $set: set }, { session });
  },

  async remove(id: string, session: ClientSession): Promise<void> {
    await endpoints.deleteOne({ _id: id }, { session });
  },
});

export type Subscription = Pick<Endpoint, '_id' | 'workspaceId' | 'events'>;
