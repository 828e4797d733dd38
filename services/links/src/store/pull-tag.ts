import type { Collection } from 'mongoose';

/** Takes a tag off up to `atMost` documents of a workspace. Answers how many had it. */
export async function pullTag(
  collection: Collection,
  workspaceId: string,
  tagId: string,
  atMost: number,
): Promise<number> {
  const filter = { workspaceId, tags: tagId };
  const carriers = await collection.find(filter, { projection: { _id: 1 }, limit: atMost }).toArray();
  if (carriers.length === 0) return 0;
  const ids = carriers.map(({ _id }) => _id);
  await collection.updateMany({ _id: { $in: ids }, workspaceId }, { $pull: { tags: tagId } as never });
  return ids.length;
}
