import { SubjectTree } from './subject-tree.js';

/** A message. `header` is the raw NATS/1.0 block including its final empty line. */
export interface Message {
  subject: string;
  reply?: string | undefined;
  header?: Buffer | undefined;
  payload: Buffer;
}

/** A recipient of messages: a client's subscription or a component of the broker. */
export interface Subscriber {
  readonly subject: string;
  /** Queue group. Each message is delivered to one of its members. */
  readonly queue?: string | undefined;
  /** Receives a message. `origin` is its publisher, so that clients can ignore their own messages. */
  deliver(message: Message, origin: unknown): void;
}

/** Routes messages to the subscribers of their subject. */
export class Router {
  readonly #tree = new SubjectTree<Subscriber>();

  add(subscriber: Subscriber): void {
    this.#tree.add(subscriber.subject, subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#tree.delete(subscriber.subject, subscriber);
  }

  hasInterest(subject: string): boolean {
    return this.#tree.match(subject).length > 0;
  }

  /**
   * Delivers the message to the subscribers of its subject: to every subscriber without a queue group, and to one
   * member of each queue group. Returns whether there was a subscriber. `to` replaces the subject for routing, as
   * JetStream deliveries require.
   */
  publish(message: Message, origin?: unknown, to = message.subject): boolean {
    const subscribers = this.#tree.match(to);
    let queues: Map<string, Subscriber[]> | undefined;
    for (const subscriber of subscribers) {
      if (subscriber.queue === undefined) subscriber.deliver(message, origin);
      else addTo((queues ??= new Map<string, Subscriber[]>()), subscriber.queue, subscriber);
    }
    for (const members of queues?.values() ?? []) {
      members[Math.floor(Math.random() * members.length)]?.deliver(message, origin);
    }
    return subscribers.length > 0;
  }
}

function addTo(queues: Map<string, Subscriber[]>, queue: string, subscriber: Subscriber): void {
  const members = queues.get(queue);
  if (members) members.push(subscriber);
  else queues.set(queue, [subscriber]);
}
