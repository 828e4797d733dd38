import { KeyedMutex, runProcess, Sealing, type Running } from '@tautan/kit';
import { plansOf } from '@tautan/plans';
import { usageTable } from '@tautan/plans/operator';
import { DeadLetters } from '@tautan/kit/mongo';
import { deadLetterTable, encryptionTable } from '@tautan/kit/operator';
import { maintenanceCommand, startService, type ServiceContext } from '@tautan/kit/service';
import { invalidations } from '@tautan/proto';
import { Background } from './background.js';
import { identityOf, mailOf, readWorkspacesConfig, type Config } from './config.js';
import { startConsumers, startMailing } from './consumers.js';
import { startJobs } from './jobs.js';
import { createMailer } from './mail/mailer.js';
import { checkProvider } from './provider/check-provider.js';
import { httpProvider } from './provider/http-provider.js';
import { operatorTable, rpcTables } from './rpc.js';
import { apiKeyStore } from './api-keys/store/api-keys.js';
import { appliedEventStore } from './store/applied-events.js';
import { auditStore } from './audit/store/audit.js';
import { idempotentRequestStore } from './requests/store/idempotent-requests.js';
import { invitationMailStore } from './members/store/invitation-mails.js';
import { invitationReservationStore } from './members/store/invitation-reservations.js';
import { loginStore } from './sessions/store/logins.js';
import { memberCounters, memberUsage } from './store/member-usage.js';
import { memberStore } from './members/store/members.js';
import { createModels, type Models } from './store/models.js';
import { sessionStore } from './sessions/store/sessions.js';
import { userStore } from './sessions/store/users.js';
import { workspaceStore } from './workspaces/store/workspaces.js';
import { accessTokenOf } from './sessions/steps/access-token-of.js';

/** Starts the service with the given clock. Rejects, with nothing left running, if a port is in use. */
export const start = (config: Config, now = (): Date => new Date()): Promise<Running> =>
  startService({ name: 'workspaces', config, createModels }, (context) => wire(config, context, now));

function wire(config: Config, context: ServiceContext<Models>, now: () => Date) {
  const { log, registry, stack, bus, mongo, models, outbox, runningWorkMs } = context;
  const background = stack.add('background', new Background(log), (work) => work.settled());

  const identity = identityOf(config);
  const provider = identity && httpProvider({ settings: identity, log, registry, now });
  if (provider) {
    const check = checkProvider(provider, { identityUrl: identity.url, log });
    context.optional['identity provider'] = () => check.usable();
    stack.add('provider check', check, (it) => it.stop());
  }
  const sealing = new Sealing(config.ENCRYPTION_KEYS);
  const apiKeys = apiKeyStore(models);
  const planDeps = {
    workspaces: workspaceStore(models, config.DEFAULT_PLAN),
    defaultPlan: config.DEFAULT_PLAN,
    transact: outbox.transact,
    invalidateEntitlements: (workspaceId: string): void => void bus.notify(invalidations.entitlements, { workspaceId }),
  };
  const usageDeps = {
    usage: memberUsage(models, memberCounters(models, mongo.connection)),
    invitations: invitationReservationStore(models),
    now,
  };
  const recheckCredentials = (what: { apiKeyIds?: string[]; userIds?: string[] }): void =>
    void bus.notify(invalidations.credential, what);
  const sessionDeps = {
    ...planDeps,
    members: memberStore(models),
    users: userStore(models),
    provider,
    sealing: identity && sealing,
    sessions: sessionStore(models),
    refreshing: new Map(),
    background,
    recheckCredentials,
    now,
  };
  const audit = auditStore(models);
  const requests = idempotentRequestStore(models);
  const ready = () => mongo.ready() && bus.connected;
  const jobs = startJobs({ ...planDeps, ...usageDeps, requests, ready, databaseReady: mongo.ready, log, registry });
  const deps = {
    ...planDeps,
    ...usageDeps,
    ...sessionDeps,
    plans: plansOf(config),
    maxWorkspacesPerUser: config.MAX_WORKSPACES_PER_USER,
    maxApiKeys: config.MAX_API_KEYS,
    mutex: new KeyedMutex(),
    audit,
    accessTokenOf: (credential: string) => accessTokenOf(sessionDeps, credential),
    logins: loginStore(models),
    apiKeys,
    requests,
    watchClaims: () => jobs.watchClaims(),
    responseSealing: sealing,
    recordUse: (id: string, at: Date) => background.run(`use of ${id}`, () => apiKeys.recordUse(id, at)),
  };
  const deadLetters = new DeadLetters(models.deadLetters, now);
  const consumers = startConsumers({
    ...planDeps,
    bus,
    appliedEvents: appliedEventStore(models),
    audit,
    deadLetters,
    log,
    now,
  });
  stack.add('consumers', consumers, () => consumers.stop());
  const mail = mailOf(config);
  if (mail) {
    const { workspaces, members } = sessionDeps;
    const mailing = startMailing({
      ...mail,
      mailer: createMailer(mail),
      workspaces,
      members,
      invitationMails: invitationMailStore(models),
      plans: deps.plans,
      bus,
      deadLetters,
      log,
      now,
    });
    stack.add('mail', mailing, () => mailing.stop(runningWorkMs / 2));
  }
  stack.add('jobs', jobs, () => jobs.stop());
  // Only sessions are re-encrypted after a key change. Stored responses and logins are encrypted too, but expire within
  // a day.
  const sealedSessions = {
    model: models.sessions,
    fields: ['accessToken', 'refreshToken'],
    contextOf: (id: string) => id,
  };
  context.operators.push(
    operatorTable(deps),
    deadLetterTable(deadLetters),
    usageTable(usageDeps.usage.counters, now),
    encryptionTable(sealedSessions, sealing),
  );
  return rpcTables(deps);
}

if (import.meta.filename === process.argv[1]) {
  const code = await maintenanceCommand(process.argv.slice(2), { name: 'workspaces', createModels });
  if (code !== undefined) process.exit(code);
  await runProcess('workspaces', () => start(readWorkspacesConfig()));
}
