import { clickBatch, type ClickBatch } from '@tautan/proto';

/** Reads a message of the stream CLICKS. Throws when it is not a batch, or refers to a text that it does not have. */
export function readBatch(payload: Uint8Array): ClickBatch {
  const batch = clickBatch.parse(JSON.parse(Buffer.from(payload).toString()));
  const known = (index: number) => index >= 0 && index < batch.texts.length;
  for (const [, link, qr, workspace, , ...others] of batch.clicks) {
    const texts = others.slice(0, 5) as number[];
    if (known(link) && (qr === -1 || known(qr)) && known(workspace) && texts.every(known)) continue;
    throw new Error(`batch ${batch.id} refers to a text that it does not have`);
  }
  return batch;
}
