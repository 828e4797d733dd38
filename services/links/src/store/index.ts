import type { Connection } from 'mongoose';
import { DomainStore } from './domains.js';
import { LinkStore } from './links.js';
import { ListStore } from './lists.js';
import type { Models } from './models.js';
import { QrTargetStore } from './qr-targets.js';
import { RouteStore } from './routes.js';
import { TagRemovalStore } from './tag-removals.js';
import { TagStore } from './tags.js';
import { WalkStore } from './walks.js';

export { collisionOf } from './collision.js';
export type { TagCount } from './tags.js';
export type { ListFilter } from './lists.js';

/** What use cases read and write through. */
export interface Store {
  links: LinkStore;
  lists: ListStore;
  routes: RouteStore;
  qrTargets: QrTargetStore;
  domains: DomainStore;
  tags: TagStore;
  tagRemovals: TagRemovalStore;
  walks: WalkStore;
}

export const createStore = (models: Models, connection: Connection): Store => ({
  links: new LinkStore(models.links),
  lists: new ListStore(models.links, connection),
  routes: new RouteStore(models.routes),
  qrTargets: new QrTargetStore(models.qrTargets),
  domains: new DomainStore(models.domains),
  tags: new TagStore(models.tags),
  tagRemovals: new TagRemovalStore(models.tagRemovals),
  walks: new WalkStore(models.walks),
});
