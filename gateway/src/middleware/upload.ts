import { Busboy } from '@fastify/busboy';
import { fail, type Fault } from '@tautan/kit';

/** Maximum size of a form without its file, bytes. */
export const FORM_OVERHEAD = 64 * 1024;
export const formType = /^multipart\/form-data[ \t]*;/i;

/** The form field of the file, and the maximum file size, bytes. */
export interface ExpectedFile {
  field: string;
  limit: number;
}

/**
 * Returns the file of a form (RFC 7578). Throws VALIDATION_ERROR, naming the field, if the expected field is missing,
 * empty, not a file or duplicated, or if there is another field; VALIDATION_ERROR without a field if the form is
 * malformed; PAYLOAD_TOO_LARGE if the file exceeds the limit; UNSUPPORTED_MEDIA_TYPE if `contentType` has no boundary.
 */
export async function fileOf(form: Buffer, contentType: string, expected: ExpectedFile): Promise<Buffer> {
  const { field } = expected;
  if (form.length === 0) throw refused(field, 'is required');
  const files = await filesIn(form, contentType, expected);
  if (files.length > 1) throw refused(field, 'must be given once');
  const file = files[0] ?? Buffer.alloc(0);
  if (file.length === 0) throw refused(field, files.length === 0 ? 'is required' : 'is empty');
  return file;
}

/** Returns the files in the expected field of a form. */
function filesIn(form: Buffer, contentType: string, { field, limit }: ExpectedFile): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const files: Buffer[] = [];
    const broken = (): void => reject(fail('VALIDATION_ERROR', 'The form is not valid multipart/form-data.'));
    const parser = parserOf(contentType, limit);
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = [];
      if (name !== field) reject(unknown(name));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () =>
        reject(fail('PAYLOAD_TOO_LARGE', `${field} must be at most ${limit / 1024 / 1024} MiB.`, field)),
      );
      stream.on('error', broken);
      stream.on('end', () => files.push(Buffer.concat(chunks)));
    });
    parser.on('field', (name) => reject(name === field ? refused(field, 'must be a file') : unknown(name)));
    parser.on('error', broken);
    parser.on('finish', () => resolve(files));
    parser.end(form);
  });
}

function parserOf(contentType: string, fileSize: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fileSize, files: 2, fields: 1, parts: 4, headerPairs: 20 },
      // A part without a file name is a field, regardless of its type.
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    });
  } catch {
    throw fail('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type must have a boundary: multipart/form-data; boundary=….');
  }
}

const refused = (field: string, why: string): Fault => fail('VALIDATION_ERROR', `${field} ${why}.`, field);

/**
 * Returns the fault for an unexpected part. Contrary to the parser's types, `name` is undefined if the part has none.
 */
function unknown(name: string | undefined): Fault {
  if (name === undefined) return fail('VALIDATION_ERROR', 'Every part of the form must have a name.');
  const field = name.slice(0, 128);
  return fail('VALIDATION_ERROR', `Unknown field: ${field}.`, field);
}
