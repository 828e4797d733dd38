import { expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import type { ChangeDeps } from '../steps/change-code.js';
import { archiveLinkCodes } from './archive-link-codes.js';

/**
 * Archives the `count` QR codes of a link. The codes at the positions `begun` are being created. `change` is called
 * before a code is archived, and prevents that if it throws. Returns the outcome, the number of archived codes, and the
 * id after which each read started.
 */
async function archive(count: number, begun: number[] = [], change = (_id: string) => {}) {
  const codes = Array.from({ length: count }, (_, n) => ({
    _id: `qr_${String(n).padStart(3, '0')}`,
    state: begun.includes(n) ? 'begun' : 'live',
  }));
  const archived: string[] = [];
  const reads: (string | undefined)[] = [];
  const unarchivedOf = async (_workspaceId: string, _linkId: string, page: { after?: string; limit: number }) => {
    reads.push(page.after);
    return codes.filter(({ _id }) => _id > (page.after ?? '')).slice(0, page.limit);
  };
  const run = async (id: string) => {
    change(id);
    archived.push(id);
  };
  const deps = { store: { qrCodes: { unarchivedOf } }, codeMutex: { run } };
  const outcome = await archiveLinkCodes(deps as unknown as ChangeDeps, null, { workspaceId: 'ws_1', linkId: 'lnk_1' })
    .then(() => 'done')
    .catch((error: { code?: string }) => error.code ?? 'failed');
  return { outcome, archived: archived.length, reads };
}

test('all QR codes of a link are archived, however many there are', async () => {
  expect(await archive(250)).toEqual({ outcome: 'done', archived: 250, reads: [undefined, 'qr_099', 'qr_199'] });
  expect(await archive(100)).toEqual({ outcome: 'done', archived: 100, reads: [undefined, 'qr_099'] });
  expect(await archive(99)).toEqual({ outcome: 'done', archived: 99, reads: [undefined] });
});

test('if a QR code is being created, the others are archived and the event is retried', async () => {
  expect(await archive(150, [3])).toMatchObject({ outcome: 'SERVICE_UNAVAILABLE', archived: 149 });
});

test('a QR code that was deleted in the meantime is skipped; any other failure causes the event to be retried', async () => {
  const failWith = (code: 'NOT_FOUND' | 'TIMEOUT') => (id: string) => {
    if (id === 'qr_000') throw fail(code, 'test');
  };
  expect(await archive(3, [], failWith('NOT_FOUND'))).toMatchObject({ outcome: 'done', archived: 2 });
  expect(await archive(3, [], failWith('TIMEOUT'))).toMatchObject({ outcome: 'TIMEOUT', archived: 0 });
});
