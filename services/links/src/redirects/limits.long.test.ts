import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { routeKey, type Route } from './domain/route.js';
import { startFixture, visit, type LinkRoute, type Fixture } from '../testing/redirects.js';

let fixture: Fixture;
let ports: number[];
beforeAll(async () => {
  fixture = await startFixture({ own: true });
  const replicas = [await fixture.roles('redirect'), await fixture.roles('redirect')];
  ports = replicas.map(({ ports }) => ports['http']!);
});
afterAll(() => fixture.stop());

/** Creates the route of a QR code of a link. */
async function aCode(link: LinkRoute, maxClicks: number): Promise<Route> {
  const qrId = newId('qr');
  const { _id: key, status, expiresAt } = link;
  const follows = { key, status, expiresAt, limited: link.maxClicks !== null };
  const code: Route = {
    ...link,
    _id: routeKey(null, qrId.slice(3)),
    qrId,
    via: 'qr',
    follows,
    maxClicks,
    remaining: maxClicks,
  };
  await fixture.models.routes.create(code);
  return code;
}

const remainingOf = async ({ _id }: Route): Promise<number> =>
  (await fixture.models.routes.findById(_id).lean())!.remaining!;

const setFailPoint = (mode: object | 'off', data?: object) =>
  fixture.models.routes.db
    .getClient()
    .db('admin')
    .command({ configureFailPoint: 'failCommand', mode, ...(data && { data }) });

test.each([
  ['a connection that breaks during a commit', { failCommands: ['commitTransaction'], closeConnection: true }],
  ['a write conflict', { failCommands: ['findAndModify'], errorCode: 112, errorLabels: ['TransientTransactionError'] }],
  ['a connection that breaks during a write', { failCommands: ['findAndModify'], closeConnection: true }],
])('scans under two limits consume both or neither, despite %s', async (_, fault) => {
  for (let round = 0; round < 3; round += 1) {
    const link = await fixture.aRoute({ maxClicks: 30 });
    const codes = [await aCode(link, 12), await aCode(link, 12), await aCode(link, 12)];
    const statuses: number[] = [];
    const sendVisits = async (): Promise<void> => {
      const visits = Array.from({ length: 60 }, (_, i) => visit(ports[i % 2]!, codes[i % codes.length]!._id));
      statuses.push(...(await Promise.all(visits)).map(({ status }) => status));
    };
    await setFailPoint({ times: 10 }, fault);
    await sendVisits();
    await setFailPoint('off');
    await until(async () => {
      await sendVisits();
      return (await remainingOf(link)) === 0;
    }, 15_000);
    const left = await Promise.all(codes.map(remainingOf));
    expect(left.every((each) => each >= 0)).toBe(true);
    expect(left.reduce((sum, each) => sum + each, 0)).toBe(3 * 12 - 30);
    // No visitor is admitted without being counted. A visitor who was counted but not admitted received a 503.
    const [redirected, failed] = [statuses.filter((each) => each === 302), statuses.filter((each) => each >= 500)];
    expect(redirected.length).toBeLessThanOrEqual(30);
    expect(30 - redirected.length).toBeLessThanOrEqual(failed.length);
  }
});
