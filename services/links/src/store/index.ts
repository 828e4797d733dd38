import type { Connection } from 'mongoose';
import { DomainStore } from '../domains/store/domains.js';
import { LinkStore } from '../links/store/links.js';
import { ListStore } from '../links/store/lists.js';
import type { Models } from './models.js';
import { ListSnapshotStore } from '../links/store/list-snapshots.js';
import { QrCodeDataStore } from '../qr-routes/store/qr-code-data.js';
import { RouteStore } from '../redirects/store/routes.js';
import { TagRemovalStore } from '../tags/store/tag-removals.js';
import { TagStore } from '../tags/store/tags.js';

export { collisionOf, type KeyKind } from './collision.js';
export type { TagCountField } from '../tags/store/tags.js';
export type { ListFilter } from '../links/store/lists.js';

/** The stores of the use cases. */
export interface Store {
  links: LinkStore;
  lists: ListStore;
  listSnapshots: ListSnapshotStore;
  routes: RouteStore;
  qrCodeData: QrCodeDataStore;
  domains: DomainStore;
  tags: TagStore;
  tagRemovals: TagRemovalStore;
}

export function createStore(models: Models, connection: Connection): Store {
  const lists = new ListStore(models.links, connection);
  return {
    links: new LinkStore(models.links),
    lists,
    listSnapshots: new ListSnapshotStore(models.listSnapshots, models.listSnapshotChunks, lists),
    routes: new RouteStore(models.routes),
    qrCodeData: new QrCodeDataStore(models.qrCodeData),
    domains: new DomainStore(models.domains),
    tags: new TagStore(models.tags),
    tagRemovals: new TagRemovalStore(models.tagRemovals),
  };
}
