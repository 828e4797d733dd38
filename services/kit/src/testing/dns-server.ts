import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import dns, { type Answer, type Question } from 'dns-packet';

/** What stands in the DNS under a name (lower case). */
export interface DnsRecords {
  TXT?: string[];
  CNAME?: string[];
  A?: string[];
  AAAA?: string[];
}

/** What becomes of a question about a name. */
type Behaviour = 'silent' | 'servfail' | DnsRecords;

/** A name server on UDP (RFC 1035) whose answers a test sets, and changes while it runs. */
export interface DnsServer {
  /** 127.0.0.1:<port>, as DNS_SERVERS takes it. */
  address: string;
  /** The questions that came, as `<type> <name>`. */
  questions: string[];
  /** Called once a question was answered, so that a test can change what comes next. */
  answered: (question: string) => void;
  /** Sets all that stands under a name. */
  set(name: string, records: DnsRecords): void;
  /** Leaves questions about a name without an answer. */
  silence(name: string): void;
  /** Responds with SERVFAIL to queries for a name. */
  breakName(name: string): void;
  /** Makes a name one that does not exist (NXDOMAIN), as all are that were not set. */
  remove(name: string): void;
  stop(): Promise<void>;
}

const SERVFAIL = 2;
const NXDOMAIN = 3;

/** Starts a name server on a free port of 127.0.0.1. A CNAME is followed as a resolver would, as far as it knows the way. */
export async function startDnsServer(): Promise<DnsServer> {
  const names = new Map<string, Behaviour>();
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

function reply(names: Map<string, Behaviour>, questions: string[], message: Buffer): Buffer | undefined {
  const query = dns.decode(message);
  const [question] = query.questions ?? [];
  if (!question) return undefined;
  const name = question.name.toLowerCase();
  questions.push(`${question.type} ${name}`);
  const known = names.get(name);
  if (known === 'silent') return undefined;
  const code = known === undefined ? NXDOMAIN : known === 'servfail' ? SERVFAIL : 0;
  return dns.encode({
    type: 'response',
    id: query.id!,
    flags: dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE | code,
    questions: query.questions!,
    answers: typeof known === 'object' ? answersTo(names, { ...question, name }) : [],
  });
}

function answersTo(names: Map<string, Behaviour>, { name, type }: Question, depth = 0): Answer[] {
  const records = names.get(name);
  if (typeof records !== 'object' || depth > 8) return [];
  const own = (records[type as keyof DnsRecords] ?? []).map(
    (data) => ({ name, type, ttl: 1, class: 'IN', data }) as Answer,
  );
  const [alias] = records.CNAME ?? [];
  if (own.length > 0 || alias === undefined) return own;
  const step: Answer = { name, type: 'CNAME', ttl: 1, class: 'IN', data: alias };
  return [step, ...answersTo(names, { name: alias, type }, depth + 1)];
}
