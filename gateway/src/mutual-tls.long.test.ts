import { readFileSync } from 'node:fs';
import { Client, credentials, status as Status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configSchema as billing } from '@tautan/billing';
import {
  createCertificateAuthority,
  eventually,
  methodsOf,
  statusesOf,
  type CertificateFiles,
} from '@tautan/kit/testing';
import { linksSettings as links } from '@tautan/links';
import { addressSettings, callersOf, rpcCallees, type RpcService } from '@tautan/proto/callers';
import { serviceNames, type ServiceName } from '@tautan/proto/services';
import { configSchema as qr } from '@tautan/qr';
import { configSchema as webhooks } from '@tautan/webhooks';
import { configSchema as workspaces } from '@tautan/workspaces';
import { gatewaySettings as gateway } from './config.js';
import { startProduct, type Product } from './testing/product.js';

const settings = { gateway, links, workspaces, webhooks, qr, billing } satisfies Record<
  ServiceName | 'gateway',
  unknown
>;

test.each(Object.entries(settings))(
  'the settings of %s contain the addresses of the services that it calls, and no other addresses',
  (name, { shape }) => {
    const called: readonly string[] = (rpcCallees as Partial<Record<string, readonly string[]>>)[name] ?? [];
    const addresses = Object.keys(shape).filter((setting) => setting.endsWith('_ADDRESS'));
    expect(addresses.sort()).toEqual(called.map((service) => `${service.toUpperCase()}_ADDRESS`).sort());
    for (const setting of addresses) expect(addressSettings).toContain(setting);
  },
);

describe('with one certificate per service,', () => {
  const authority = createCertificateAuthority();
  const stranger = createCertificateAuthority();
  let product: Product;
  beforeAll(async () => {
    product = await startProduct({}, (name) => {
      const { cert, key } = authority.issue(name);
      return { RPC_TLS_CA: authority.ca, RPC_TLS_CERT: cert, RPC_TLS_KEY: key };
    });
  }, 120_000);
  afterAll(() => product.stop());

  /** The callers whose connections a service has accepted. */
  async function callersAt(service: RpcService): Promise<string[]> {
    const metrics = await (await fetch(`http://127.0.0.1:${product.ports[service]['admin']}/metrics`)).text();
    return [...metrics.matchAll(/^tautan_rpc_connections_accepted_total\{peer="(\w+)"/gm)].map(([, peer]) => peer!);
  }

  test('the product works, and the callers that connect to each service are exactly its declared callers', async () => {
    for (const [method, path, body] of [
      ['POST', '/links', { url: 'https://example.com/' }],
      ['POST', '/qr-codes', { url: 'https://example.com/' }],
      ['GET', '/webhooks', undefined],
      ['GET', '/billing/subscription', undefined],
      ['GET', '/billing/usage', undefined],
    ] as const) {
      // On a busy machine, calls can exceed their deadlines.
      await eventually(async () => {
        const { status } = await product.request(method, path, body);
        expect([path, status]).toEqual([path, method === 'POST' ? 201 : 200]);
      }, 30_000);
    }
    for (const service of serviceNames) expect((await callersAt(service)).sort()).toEqual(callersOf(service).sort());
  }, 120_000);

  describe.each(serviceNames)('every RPC of %s', (service) => {
    const statuses = async (own?: CertificateFiles): Promise<Record<string, Status>> => {
      const keyAndChain = own ? [readFileSync(own.key), readFileSync(own.cert)] : [];
      const channelCredentials = credentials.createSsl(readFileSync(authority.ca), ...keyAndChain);
      const client = new Client(`127.0.0.1:${product.ports[service]['grpc']}`, channelCredentials);
      const found = await statusesOf(client, methodsOf(service));
      client.close();
      return found;
    };
    const all = (status: Status): Record<string, Status> =>
      Object.fromEntries(methodsOf(service).map(({ path }) => [path, status]));
    const others = [...serviceNames, 'gateway', 'unknown'].filter(
      (name) => !(callersOf(service) as string[]).includes(name),
    );

    test('is refused without a certificate', async () => {
      expect(await statuses()).toEqual(all(Status.UNAVAILABLE));
    });
    test('is refused with a certificate of another authority', async () => {
      expect(await statuses(stranger.issue(callersOf(service)[0]!))).toEqual(all(Status.UNAVAILABLE));
    });
    test.each(others)('is refused with the certificate of %s', async (name) => {
      expect(await statuses(authority.issue(name))).toEqual(all(Status.PERMISSION_DENIED));
    });
    test.each(callersOf(service))('is accepted with the certificate of %s', async (name) => {
      const found = await statuses(authority.issue(name));
      expect(Object.keys(found)).toHaveLength(methodsOf(service).length);
      // Some RPCs return UNAVAILABLE without a payment provider. The health check shows that the connection works.
      expect(found['/grpc.health.v1.Health/Check']).toBe(Status.OK);
      expect(Object.values(found)).not.toContain(Status.PERMISSION_DENIED);
    });
  });
});
