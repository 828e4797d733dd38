import type { Model, mongo } from 'mongoose';

/** A document with tags. */
interface Tagged {
  _id: string;
  workspaceId: string;
  tags: string[];
}

/** Removes a tag from up to `limit` documents of a workspace. Returns the number of documents that it changed. */
export async function pullTag(
  model: Pick<Model<unknown>, 'collection'>,
  workspaceId: string,
  tagId: string,
  limit: number,
): Promise<number> {
  const collection = model.collection as unknown as mongo.Collection<Tagged>;
  const filter = { workspaceId, tags: tagId };
  const tagged = await collection.find(filter, { projection: { _id: 1 }, limit }).toArray();
  if (tagged.length === 0) return 0;
  const ids = tagged.map(({ _id }) => _id);
  await collection.updateMany({ _id: { $in: ids }, workspaceId }, { $pull: { tags: tagId } });
  return ids.length;
}
