import type { Model } from 'mongoose';
import type { Sealing } from '../values/sealing.js';
import { bytesOf } from './collections.js';

/** The encrypted fields of a collection. */
export interface SealedRecords {
  // Records of any type: only their ids and sealed fields are read.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  model: Model<any>;
  /** Names of the fields. Each holds an encrypted text, or a list of objects whose field `sealed` holds one. */
  fields: string[];
  /** Returns the encryption context of a record. */
  contextOf: (id: string) => string;
}

type Bytes = Parameters<typeof bytesOf>[0];
type SealedValue = Bytes | { sealed: Bytes }[] | null | undefined;
type StoredRecord = { _id: string } & Record<string, SealedValue>;

/** The result for one page of records. `checked` and `renewed` are numbers of encrypted texts. */
export interface RenewedPage {
  checked: number;
  renewed: number;
  /** Ids of the records with a text that cannot be decrypted. */
  unreadable: string[];
  /** Id after which the next page starts; empty on the last page. */
  next: string;
}

const PAGE_SIZE = 200;

/**
 * Encrypts the texts of one page of records again, with the first key of `sealing`. Skips texts that are already
 * encrypted with the first key. Also skips fields that change concurrently, because every write encrypts with the first
 * key.
 */
export async function renewSealedPage(
  { model, fields, contextOf }: SealedRecords,
  sealing: Sealing,
  after: string,
): Promise<RenewedPage> {
  // Use the driver's collection, which compares stored values without casts.
  const records = model.collection;
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  const found = (await records
    .find({ _id: { $gt: after } } as object, { projection })
    .sort({ _id: 1 })
    .limit(PAGE_SIZE)
    .toArray()) as unknown as StoredRecord[];
  const page: RenewedPage = { checked: 0, renewed: 0, unreadable: [], next: '' };
  for (const record of found) {
    for (const field of fields) {
      const stored = record[field];
      const fresh = renewedValue(stored, sealing, contextOf(record._id));
      page.checked += fresh.checked;
      if (fresh.isUnreadable && !page.unreadable.includes(record._id)) page.unreadable.push(record._id);
      if (fresh.renewed === 0) continue;
      const unchanged = { _id: record._id, [field]: stored } as object;
      const { modifiedCount } = await records.updateOne(unchanged, { $set: { [field]: fresh.value } });
      if (modifiedCount === 1) page.renewed += fresh.renewed;
    }
  }
  return { ...page, next: found.length === PAGE_SIZE ? found.at(-1)!._id : '' };
}

interface RenewedValue {
  value: SealedValue;
  checked: number;
  renewed: number;
  isUnreadable: boolean;
}

function renewedValue(value: SealedValue, sealing: Sealing, context: string): RenewedValue {
  const outcome: RenewedValue = { value, checked: 0, renewed: 0, isUnreadable: false };
  const renew = (stored: Bytes): Bytes => {
    const sealed = bytesOf(stored);
    outcome.checked += 1;
    if (sealing.isCurrent(sealed)) return stored;
    const text = sealing.open(sealed, context);
    if (text === undefined) outcome.isUnreadable = true;
    else outcome.renewed += 1;
    return text === undefined ? stored : sealing.seal(text, context);
  };
  if (Array.isArray(value)) outcome.value = value.map((each) => ({ ...each, sealed: renew(each.sealed) }));
  else if (value) outcome.value = renew(value);
  return outcome;
}
