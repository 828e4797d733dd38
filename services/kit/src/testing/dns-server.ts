import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import dns, { type Answer, type Question } from 'dns-packet';

/** The DNS records of a name. */
export interface DnsRecords {
  TXT?: string[];
  CNAME?: string[];
  A?: string[];
  AAAA?: string[];
  /** Record types for which queries get SERVFAIL. */
  failing?: string[];
}

/** The response to queries for a name. */
type Behavior = 'silent' | 'servfail' | DnsRecords;

/** A UDP name server (RFC 1035) whose records can be changed while it runs. */
export interface DnsServer {
  /** `127.0.0.1:<port>`, the format of DNS_SERVERS. */
  address: string;
  /** The received queries, as `<type> <name>`. */
  questions: string[];
  /** Called after each response. A test can assign a function that changes the records for the next query. */
  answered: (question: string) => void;
  /** Replaces the records of a name, which must be in lower case. */
  set(name: string, records: DnsRecords): void;
  /** Stops responding to queries for a name. */
  silence(name: string): void;
  /** Responds with SERVFAIL to queries for a name. */
  breakName(name: string): void;
  /** Removes a name. Queries for unknown names get NXDOMAIN. */
  remove(name: string): void;
  stop(): Promise<void>;
}

const SERVFAIL = 2;
const NXDOMAIN = 3;

/** Starts a name server on a free port of 127.0.0.1. It follows CNAMEs between known names, like a resolver. */
export async function startDnsServer(): Promise<DnsServer> {
  const names = new Map<string, Behavior>();
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, peer) => {
    const answer = reply(names, questions, message);
    if (!answer) return;
    send(answer, peer);
    server.answered(questions.at(-1)!);
  });
  const send = (answer: Buffer, peer: RemoteInfo) => socket.send(answer, peer.port, peer.address);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    answered: () => undefined,
    set: (name, records) => void names.set(name, records),
    silence: (name) => void names.set(name, 'silent'),
    breakName: (name) => void names.set(name, 'servfail'),
    remove: (name) => void names.delete(name),
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  return server;
}

function reply(names: Map<string, Behavior>, questions: string[], message: Buffer): Buffer | undefined {
  const query = dns.decode(message);
  const [question] = query.questions ?? [];
  if (!question) return undefined;
  const name = question.name.toLowerCase();
  questions.push(`${question.type} ${name}`);
  const known = names.get(name);
  if (known === 'silent') return undefined;
  const isFailing = known === 'servfail' || (known?.failing?.includes(question.type) ?? false);
  const code = known === undefined ? NXDOMAIN : isFailing ? SERVFAIL : 0;
  return dns.encode({
    type: 'response',
    id: query.id!,
    flags: dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE | code,
    questions: query.questions!,
    answers: typeof known === 'object' ? answersTo(names, { ...question, name }) : [],
  });
}

function answersTo(names: Map<string, Behavior>, { name, type }: Question, depth = 0): Answer[] {
  const records = names.get(name);
  if (typeof records !== 'object' || depth > 8) return [];
  const own = (records[type as Exclude<keyof DnsRecords, 'failing'>] ?? []).map(
    (data) => ({ name, type, ttl: 1, class: 'IN', data }) as Answer,
  );
  const [alias] = records.CNAME ?? [];
  if (own.length > 0 || alias === undefined) return own;
  const step: Answer = { name, type: 'CNAME', ttl: 1, class: 'IN', data: alias };
  return [step, ...answersTo(names, { name: alias, type }, depth + 1)];
}
