import { beforeAll, expect } from '@jest/globals';
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import {
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type Consumer,
  type ConsumerConfig,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { ServerUnderTest } from './server.test.part.js';

export const nanos = (ms: number): number => ms * 1e6;
export const texts = (messages: JsMsg[]): string[] => messages.map((message) => message.string());
export const statusOf = ({ headers }: Msg): string => `${headers?.code} ${headers?.description}`;

/** Returns the `err_code` of a call that JetStream rejects. Throws if the call succeeds or fails for another reason. */
export async function errorCodeOf(call: Promise<unknown>): Promise<number> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof JetStreamApiError)) throw new Error(`not rejected by JetStream: ${String(error)}`);
  return error.code;
}

let serial = 0;

/** A client with shortcuts for tests of streams and consumers. */
export class Bus {
  nc!: NatsConnection;
  js!: JetStreamClient;
  jsm!: JetStreamManager;

  /** Returns a client that connects before the tests of the enclosing block. */
  static of(server: () => ServerUnderTest): Bus {
    const bus = new Bus();
    beforeAll(async () => {
      bus.nc = await server().connect();
      bus.js = jetstream(bus.nc);
      bus.jsm = await jetstreamManager(bus.nc);
    });
    return bus;
  }

  /** Returns whether the server is version 2.`minor` or later. */
  atLeast(minor: number): boolean {
    return Number(this.nc.info!.version.split('.')[1]) >= minor;
  }

  /** Creates a stream with a unique name, the subject `<name>.>` and these messages. Returns its name. */
  async aStream(messages: string[] = [], config: Partial<StreamConfig> = {}): Promise<string> {
    const name = `S${++serial}`;
    await this.jsm.streams.add({ name, subjects: [`${name}.>`], ...config });
    for (const message of messages) await this.publish(name, message);
    return name;
  }

  /** Publishes a text to the subject named by its first letter: `a1` goes to `<stream>.a`. */
  publish(stream: string, text: string): Promise<unknown> {
    return this.js.publish(`${stream}.${text[0]}`, text);
  }

  async aConsumer(stream: string, config: Partial<ConsumerConfig> = {}): Promise<Consumer> {
    const info = await this.jsm.consumers.add(stream, { durable_name: 'worker', ack_policy: 'explicit', ...config });
    return this.js.consumers.get(stream, info.name);
  }

  /** Returns up to `count` messages that arrive within `expires` ms. */
  async take(consumer: Consumer, count: number, expires = 1_000): Promise<JsMsg[]> {
    const taken: JsMsg[] = [];
    for await (const message of await consumer.fetch({ max_messages: count, expires })) taken.push(message);
    return taken;
  }

  /** Returns up to `count` messages of a new consumer with this configuration, and checks that no more are pending. */
  async takeAll(stream: string, count: number, config: Partial<ConsumerConfig>): Promise<string[]> {
    const consumer = await this.aConsumer(stream, config);
    const taken = count > 0 ? texts(await this.take(consumer, count)) : [];
    expect((await consumer.info()).num_pending).toBe(0);
    await consumer.delete();
    return taken;
  }

  /** Sends a raw pull request to the consumer `worker`. Adds the responses to the returned array as they arrive. */
  async pull(stream: string, request: object | string): Promise<Msg[]> {
    const inbox = createInbox();
    const seen = await this.collect(inbox);
    const payload = typeof request === 'string' ? request : JSON.stringify(request);
    this.nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.worker`, payload, { reply: inbox });
    await this.nc.flush();
    return seen;
  }

  /** Subscribes to a subject. Adds its messages to the returned array as they arrive. */
  async collect(subject: string): Promise<Msg[]> {
    const seen: Msg[] = [];
    this.nc.subscribe(subject, { callback: (_, message) => void seen.push(message) });
    await this.nc.flush();
    return seen;
  }
}
