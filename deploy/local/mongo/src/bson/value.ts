import { Double, Int32, ObjectId } from 'bson';
import { decode } from '../language/codec.js';
import { BsonType, int32, rawDocument, toBytes, type RawDoc } from './raw.js';

const scratch = Buffer.alloc(8);

function float64(raw: RawDoc, at: number): number {
  for (let i = 0; i < 8; i += 1) scratch[i] = raw.charCodeAt(at + i);
  return scratch.readDoubleLE(0);
}

/** The value of `type` in raw[at, end), as `decode` would give it; the common types without a document around them. */
export function decodeValue(raw: RawDoc, type: number, at: number, end: number): unknown {
  switch (type) {
    case BsonType.string:
      return Buffer.from(raw.slice(at + 4, end - 1), 'latin1').utf8Slice();
    case BsonType.objectId:
      return new ObjectId(toBytes(raw.slice(at, end)));
    case BsonType.int:
      return new Int32(int32(raw, at));
    case BsonType.double:
      return new Double(float64(raw, at));
    case BsonType.bool:
      return raw.charCodeAt(at) === 1;
    case BsonType.null:
      return null;
    default:
      return decode(toBytes(rawDocument(`${String.fromCharCode(type)}v\0${raw.slice(at, end)}`)))['v'];
  }
}
