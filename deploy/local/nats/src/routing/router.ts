import { SubjectTree } from './subject-tree.js';

/** One message on its way. `header` is the raw NATS/1.0 block, its closing empty line included. */
export interface Message {
  subject: string;
  reply?: string | undefined;
  header?: Buffer | undefined;
  payload: Buffer;
}

/** Who a message is for: a client's subscription or a part of the broker itself. */
export interface Subscriber {
  readonly subject: string;
  /** Members of one queue group share messages: each goes to one of them. */
  readonly queue?: string | undefined;
  /** What published the message, so that a client can be spared its own. */
  deliver(message: Message, origin: unknown): void;
}

/** Takes messages to the subscribers of their subject. */
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
   * Hands the message to every plain subscriber of its subject and to one member of each queue group; answers whether
   * there was anyone. `to` routes by another subject than the message shows, as JetStream deliveries do.
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
