import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { inTransaction, createCollections } from '@tautan/kit/mongo';
import {
  callEveryMethod,
  recordQueries,
  unshardableIndexes,
  startDatabase,
  type StoreCalls,
  type TestDatabase,
} from '@tautan/kit/testing';
import { defaultPlans } from '@tautan/proto';
import type { ClientSession } from 'mongoose';
import { newQrCode } from '../domain/new-qr-code.js';
import { readStyle } from '../image/style.js';
import { aPrincipal } from '../testing/service.js';
import { DownloadTokenStore } from './download-tokens.js';
import { ListStore } from './lists.js';
import { LogoStore } from './logos.js';
import { createModels, type Models } from './models.js';
import { QrCodeStore } from './qr-codes.js';
import { broadcastQueries } from './sharding.js';
import { createCounters } from './usage.js';

let database: TestDatabase<Models>;
let models: Models;
beforeAll(async () => {
  database = await startDatabase(createModels, createCollections);
  models = database.models;
});
afterAll(() => database.stop());

const until = Date.now() + 60_000;
const [now, by, logoRunRef, linkId] = [new Date(), aPrincipal(), newId('lgo'), newId('lnk')];
const { workspaceId } = by;
const aCode = () => {
  const draft = {
    url: null,
    linkId,
    title: null,
    tags: [],
    expiresAt: null,
    maxScans: null,
    styleConfig: readStyle({}, true),
    logoRunRef,
  };
  return newQrCode(draft, by, newId('qr'), now);
};

/** Returns calls of every method of the stores, with the main variations of its queries. */
function calls(session: ClientSession): StoreCalls[] {
  const code = aCode();
  const pending = code.pending!;
  const [codes, lists, logos] = [new QrCodeStore(models.qrCodes), new ListStore(models.qrCodes), new LogoStore(models)];
  const tokens = new DownloadTokenStore(models.downloadTokens);
  const filters = [
    {},
    { linkId },
    { status: 'active' as const },
    { status: 'archived' as const },
    { tagIds: [newId('tag')] },
    { terms: [{ text: 'x' }] },
  ].map((each) => ({ workspaceId, tagIds: [], terms: [], ...each }));
  const logo = {
    _id: logoRunRef,
    workspaceId,
    content: Buffer.from(''),
    width: 1,
    height: 1,
    sha256: 'x',
    createdAt: now,
    usedAt: now,
  };
  const counters = createCounters(models);
  const key = { workspaceId, limit: 'qrCodes', at: now } as const;
  return [
    {
      store: codes,
      methods: {
        insert: () => [codes.insert([code], session)],
        existing: () => [codes.existing(workspaceId, [code._id])],
        usesLogo: () => [codes.usesLogo(workspaceId, newId('lgo'), session)],
        byId: () => [codes.byId(workspaceId, code._id)],
        existsAnywhere: () => [codes.existsAnywhere(code._id)],
        unarchivedOf: () =>
          [undefined, code._id].map((after) => codes.unarchivedOf(workspaceId, linkId, { after, limit: 2 })),
        ofLink: () => [undefined, code._id].map((after) => codes.ofLink(workspaceId, linkId, after, 2)),
        linked: () => [undefined, code._id].map((after) => codes.linked(workspaceId, after, 2)),
        workspaceAfter: () => [codes.workspaceAfter(workspaceId)],
        replaceSnapshot: () => [
          codes.replaceSnapshot(code, { url: 'https://example.com/', status: 'active', rev: 'x' }),
        ],
        begin: () => [codes.begin(code, pending, now)],
        commit: () => [codes.commit(code, pending, {}, session)],
        snapshotsOfBegun: () => [codes.snapshotsOfBegun(workspaceId, [code._id, newId('qr')], session)],
        commitAll: () => [codes.commitAll([{ code, pending, set: {} }], session)],
        revoke: () => [codes.revoke(code, pending)],
        discard: () => [codes.discard(aCode(), session)],
        release: () => [codes.release(code)],
        claim: () => [codes.claim(code, now)],
        unfinished: () => [codes.unfinished(5)],
        tombstone: () => [codes.tombstone(aCode(), now, session)],
        erase: () => [codes.erase(code)],
        dropTag: () => [codes.dropTag(workspaceId, newId('tag'))],
      },
    },
    {
      store: lists,
      methods: {
        page: () =>
          filters.flatMap((filter) => [undefined, code._id].map((after) => lists.page(filter, after, null, 5, until))),
        nth: () => filters.map((filter) => lists.nth(filter, undefined, 5, until)),
      },
    },
    {
      store: logos,
      methods: {
        insert: () => [logos.insert(logo, 5, session)],
        byId: () => [logos.byId(workspaceId, logoRunRef)],
        bySource: () => [logos.bySource(workspaceId, 'x')],
        exists: () => [logos.exists(workspaceId, logoRunRef)],
        existsAnywhere: () => [logos.existsAnywhere(logoRunRef)],
        touch: () => [logos.touch(workspaceId, [logoRunRef], now, session)],
        touchUndated: () => [logos.touchUndated(now)],
        usedBefore: () => [logos.usedBefore(now, 5)],
        deleteUsedBefore: () => [logos.deleteUsedBefore(workspaceId, logoRunRef, now, session)],
      },
    },
    {
      store: tokens,
      methods: {
        insert: () => [
          tokens.insert(
            { _id: newUlid(), operationId: newUlid(), workspaceId, qrCodeId: code._id, expiresAt: now },
            session,
          ),
        ],
        removeOf: () => [tokens.removeOf({ operationId: newUlid(), workspaceId }, session)],
        byHash: () => [tokens.byHash('x', now)],
      },
    },
    {
      store: counters,
      methods: {
        reserve: () => [counters.reserve(session, { ...key, wanted: 1, max: 5 })],
        // Its queries are those of `reserve`.
        reserveOne: () => [],
        assertRoom: () => [counters.assertRoom(defaultPlans, { ...key, limit: 'qrCodes', plan: 'FREE' })],
        release: () => [counters.release(session, { ...key, count: 1 })],
        read: () => [counters.read(newId('ws'), now)],
        drift: () => [counters.drift({ workspaceId: newId('ws'), limit: 'qrCodes' })],
        ids: () => [counters.ids({ after: 'x', workspaceId, limit: 5 }), counters.ids({ after: 'x', limit: 5 })],
      },
    },
  ];
}

test('every query of every store uses an index', async () => {
  const readQueries = recordQueries(database.connection);
  await inTransaction(database.connection, 20_000, (session) => callEveryMethod(calls(session)));
  const found = await readQueries();
  expect(found.collections).toEqual(
    new Set(['qr_codes', 'logos', 'logo_uploads', 'download_tokens', 'usage_counters']),
  );
  expect(found.scanning).toEqual([]);
  expect(found.broadcast).toEqual(new Set(Object.keys(broadcastQueries)));
  expect(unshardableIndexes(models)).toEqual([]);
});
