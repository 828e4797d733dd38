import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, newId, type Principal } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { rpcClient, type Methods, type RequestIn } from '@tautan/kit/rpc';
import { collectEvents, startServers, until } from '@tautan/kit/testing';
import { startPayments } from '@tautan/local-payments';
import { parseEvent, type BillingDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import mongoose from 'mongoose';
import Stripe from 'stripe';
import { readBillingConfig } from '../config.js';
import { start } from '../main.js';
import { createModels } from '../store/models.js';
import { startProxy } from './proxy.js';
import { startReceiver, type Posted } from './receiver.js';

export type TestService = Awaited<ReturnType<typeof startService>>;
export type Caller = ReturnType<TestService['as']>;

const SECRET_KEY = 'sk_test_sandbox';
export const WEBHOOK_SECRET = 'whsec_sandbox';

/**
 * Starts the service on free ports, with MongoDB and NATS from `startServers`, a payment sandbox and a configurable
 * clock.
 */
export async function startService(settings: Record<string, string> = {}, now?: () => Date) {
  const servers = await startServers();
  const log = createLog('test', process.env['TEST_LOG'] ?? 'silent');
  const folder = await mkdtemp(join(tmpdir(), 'tautan-billing-'));
  const receiver = await startReceiver();
  const sandbox = await startPayments({
    port: 0,
    host: '127.0.0.1',
    dataDir: folder,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: receiver.url,
    log,
  });
  const proxy = await startProxy(`http://127.0.0.1:${sandbox.port}`);
  const environment = {
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    BIND_HOST: '127.0.0.1',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    ADMIN_PORT: '0',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: servers.database,
    NATS_URL: servers.natsUrl,
    BASE_URL: 'https://go.example',
    PAYMENT_SECRET_KEY: SECRET_KEY,
    PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PAYMENT_API_URL: proxy.url,
    ...settings,
  };
  const bus = new Bus({ url: servers.natsUrl, name: 'test', log });
  const events = collectEvents(bus, 'events.>', parseEvent);
  await until(() => bus.connected);
  const running = await start(readBillingConfig(environment), now);
  await until(async () => (await fetch(`http://127.0.0.1:${running.ports['admin']}/readyz`)).ok);
  const connection = await mongoose
    .createConnection(environment.MONGODB_URI, {
      dbName: environment.MONGODB_DATABASE,
      autoIndex: false,
      autoCreate: false,
    })
    .asPromise();
  const client = rpcClient(rpcServices.billing, { address: `127.0.0.1:${running.ports['grpc']}` });
  const stripe = new Stripe(SECRET_KEY, { host: '127.0.0.1', port: sandbox.port, protocol: 'http', telemetry: false });
  const models = createModels(connection);

  /** Passes a webhook to the service, as the gateway does. */
  const post = async ({ payload, signature }: Pick<Posted, 'payload' | 'signature'>): Promise<void> =>
    void (await client.call(
      'ReceiveProviderWebhook',
      { payload, signature },
      { requestId: newId('req'), timeoutMs: 20_000 },
    ));
  receiver.forward = post;
  const isHandled = async (id: string): Promise<boolean> => !(await models.webhooks.exists({ _id: id, at: null }));

  /** Passes a webhook to the service and waits until it is handled. */
  const deliver = async (webhook: Pick<Posted, 'payload' | 'signature'>): Promise<void> => {
    await post(webhook);
    const { id } = JSON.parse(webhook.payload.toString()) as { id: string };
    await until(() => isHandled(id));
  };

  /** Returns functions that call the service as a principal, by default as an admin in a new workspace. */
  const as = (by: Principal = aPrincipal()) => {
    const options = { requestId: by.requestId, principal: by, timeoutMs: 20_000 };
    const call = <M extends Methods<BillingDefinition>>(method: M, request: RequestIn<BillingDefinition, M>) =>
      client.call(method, request, options);
    const subscription = () => call('GetSubscription', {});
    type Fields = Awaited<ReturnType<typeof subscription>>;
    const untilSubscription = (wanted: Partial<Fields>) =>
      until(async () => {
        const found = await subscription();
        return Object.entries(wanted).every(([key, value]) => found[key as keyof Fields] === value) && found;
      });
    return {
      by,
      workspaceId: by.workspaceId,
      call,
      subscription,
      /** Resolves with the subscription as soon as it has the given fields. */
      untilSubscription,
      /** Buys a plan, and waits until it is active. */
      subscribed: async (plan: 'PRO' | 'BUSINESS', currency?: string) => {
        await pay((await call('CreateCheckout', { plan, ...(currency && { currency }) })).checkoutUrl);
        return untilSubscription({ plan, status: 'active' });
      },
      record: () => models.subscriptions.findOne({ workspaceId: by.workspaceId }).orFail().lean(),
      /** Returns the workspace's subscriptions at the provider, newest first. */
      providerSubscriptions: async () => {
        const { customerId } = await models.subscriptions.findOne({ workspaceId: by.workspaceId }).orFail().lean();
        return (await stripe.subscriptions.list({ customer: customerId, status: 'all' })).data;
      },
      /** Resolves with the invoices, newest first, as soon as there are `count` and all are paid. */
      invoices: (count: number) =>
        until(async () => {
          const { invoices } = await call('ListInvoices', {});
          return invoices.length >= count && invoices.every(({ status }) => status === 'paid') && invoices;
        }),
      /** Resolves with the events of the workspace, except `checkout.created`, as soon as there are `count`. */
      events: (count: number) =>
        until(() => {
          const own = events.filter(
            ({ workspaceId, type }) => workspaceId === by.workspaceId && type !== 'checkout.created',
          );
          return own.length >= count ? own : undefined;
        }),
    };
  };

  /** Ends the period of a subscription at the provider. `outcome`: whether the payment for the next period succeeds. */
  const advance = (id: string, outcome: 'pay' | 'fail' = 'pay') =>
    stripe.rawRequest('POST', `/v1/test_helpers/subscriptions/${id}/advance`, { outcome });

  /** Returns the state of a checkout session. The call needs no principal. */
  const checkout = (sessionId: string) =>
    client.call('GetCheckout', { sessionId }, { requestId: newId('req'), timeoutMs: 20_000 });

  /** Resolves as soon as `read` returns the wanted value. */
  const untilEqual = <T>(read: () => Promise<T>, wanted: T) => until(async () => (await read()) === wanted);

  /** Retries `work` until it succeeds: after failures, the circuit breaker stays open for a moment. */
  const untilOk = <T extends object>(work: () => Promise<T>) => until(() => work().catch(() => undefined));

  return {
    /** Environment of the service. */
    settings: environment,
    adminUrl: `http://127.0.0.1:${running.ports['admin']}`,
    as,
    post,
    deliver,
    isHandled,
    checkout,
    untilEqual,
    untilOk,
    advance,
    stripe,
    sandbox,
    receiver,
    proxy,
    models,
    servers,
    stop: async () => {
      client.close();
      await running.stop();
      await sandbox.stop();
      for (const each of [receiver, proxy, bus]) await ('stop' in each ? each.stop() : each.close());
      await connection.dropDatabase();
      await connection.close();
      await servers.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Pays on the provider's page; returns the URL of the redirect. */
export async function pay(checkoutUrl: string): Promise<string> {
  const response = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' });
  if (response.status !== 303) throw new Error(`not paid: ${response.status} ${await response.text()}`);
  return response.headers.get('location')!;
}

/** Returns an admin in a new workspace. `overrides` replace individual fields. */
export const aPrincipal = (overrides: Partial<Principal> = {}): Principal => ({
  workspaceId: newId('ws'),
  kind: 'user',
  id: newId('usr'),
  name: 'Ayu',
  role: 'admin',
  plan: 'FREE',
  ip: '192.0.2.7',
  userAgent: 'test',
  requestId: newId('req'),
  ...overrides,
});
