import { KeyedMutex, plansOf, runProcess, Sealing, type Running } from '@tautan/kit';
import { startService, type Ground } from '@tautan/kit/service';
import { usageCommand } from '@tautan/kit/usage';
import { invalidations } from '@tautan/proto';
import type { Connection } from 'mongoose';
import { auditVerify } from './audit-verify.js';
import { Background } from './background.js';
import { identityOf, readCommandConfig, readWorkspacesConfig, type Config } from './config.js';
import { startConsumers } from './consumers.js';
import { startJobs } from './jobs.js';
import { checkProvider } from './provider/check-provider.js';
import { httpProvider } from './provider/http-provider.js';
import { rpcTables } from './rpc.js';
import { apiKeyStore } from './store/api-keys.js';
import { appliedEventStore } from './store/applied-events.js';
import { auditStore } from './store/audit.js';
import { idempotentRequestStore } from './store/idempotent-requests.js';
import { invitationReservationStore } from './store/invitation-reservations.js';
import { loginStore } from './store/logins.js';
import { memberCounters, memberUsage } from './store/member-usage.js';
import { memberStore } from './store/members.js';
import { createModels, type Models } from './store/models.js';
import { sessionStore } from './store/sessions.js';
import { userStore } from './store/users.js';
import { workspaceStore } from './store/workspaces.js';
import { accessTokenOf } from './usecases/access-token-of.js';

/** Starts the service, by the given clock. Rejects, with nothing left running, when a port is taken. */
export const start = (config: Config, now = (): Date => new Date()): Promise<Running> =>
  startService({ name: 'workspaces', config, createModels }, (ground) => wire(config, ground, now));

function wire(config: Config, ground: Ground<Models>, now: () => Date) {
  const { log, registry, stack, bus, mongo, models, outbox } = ground;
  const background = stack.add('background', new Background(log), (work) => work.settled());

  const identity = identityOf(config);
  const provider = identity && httpProvider({ settings: identity, log, registry, now });
  if (provider) {
    const check = checkProvider(provider, { identityUrl: identity.url, log });
    ground.optional['identity provider'] = () => check.usable();
    stack.add('provider check', check, (it) => it.stop());
  }
  const answerSealing = new Sealing(config.ENCRYPTION_KEYS);
  const apiKeys = apiKeyStore(models);
  const planDeps = {
    workspaces: workspaceStore(models, config.DEFAULT_PLAN),
    defaultPlan: config.DEFAULT_PLAN,
    transact: outbox.transact,
    dropEntitlements: (workspaceId: string): void => void bus.notify(invalidations.entitlements, { workspaceId }),
  };
  const usageDeps = {
    usage: memberUsage(models, memberCounters(models, mongo.connection)),
    invitations: invitationReservationStore(models),
    now,
  };
  const dropCredentials = (what: { apiKeyIds?: string[]; userIds?: string[] }): void =>
    void bus.notify(invalidations.credential, what);
  const sessionDeps = {
    ...planDeps,
    members: memberStore(models),
    users: userStore(models),
    provider,
    sealing: identity && answerSealing,
    sessions: sessionStore(models),
    refreshing: new Map(),
    background,
    dropCredentials,
    now,
  };
  const audit = auditStore(models);
  const requests = idempotentRequestStore(models);
  const tables = rpcTables({
    ...planDeps,
    ...usageDeps,
    ...sessionDeps,
    plans: plansOf(config),
    maxWorkspacesPerUser: config.MAX_WORKSPACES_PER_USER,
    maxApiKeys: config.MAX_API_KEYS,
    mutex: new KeyedMutex(),
    audit,
    accessTokenOf: (credential) => accessTokenOf(sessionDeps, credential),
    logins: loginStore(models),
    apiKeys,
    requests,
    answerSealing,
    noteUse: (id, at) => background.run(`use of ${id}`, () => apiKeys.noteUse(id, at)),
  });
  const consumers = startConsumers({
    ...planDeps,
    bus,
    appliedEvents: appliedEventStore(models),
    audit,
    deadLetters: models.deadLetters,
    log,
    now,
  });
  stack.add('consumers', consumers, () => consumers.stop());
  const ready = () => mongo.ready() && bus.connected;
  const jobs = startJobs({ ...planDeps, ...usageDeps, requests, ready, databaseReady: mongo.ready, log, registry });
  stack.add('jobs', jobs, () => jobs.stop());
  return tables;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `main.js <command> [argument …]`; each returns an exit code, 2 when it could not tell. */
const commands: Record<string, (args: string[]) => Promise<number>> = {
  /** 0 when the audit log of every named workspace, or of all, holds; 1 when one is broken. */
  'audit:verify': async (args) => ((await auditVerify(readCommandConfig(), args, print)) ? 0 : 1),
  'check-usage': (args) => {
    const createCounters = (connection: Connection) => memberCounters(createModels(connection), connection);
    return usageCommand(args, { readSettings: readCommandConfig, createCounters });
  },
};

async function runCommand(name: string, args: string[]): Promise<never> {
  try {
    process.exit(await commands[name]!(args));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

if (import.meta.filename === process.argv[1]) {
  const [command = '', ...args] = process.argv.slice(2);
  if (Object.hasOwn(commands, command)) await runCommand(command, args);
  await runProcess('workspaces', () => start(readWorkspacesConfig()));
}
