import { runProcess, Sealing, type Running } from '@tautan/kit';
import { startService, type Ground } from '@tautan/kit/service';
import { invalidations } from '@tautan/proto';
import { auditVerify } from './audit-verify.js';
import { Background } from './background.js';
import { identityOf, readAuditConfig, readWorkspacesConfig, type Config } from './config.js';
import { startConsumers } from './consumers.js';
import { httpProvider } from './provider/http-provider.js';
import { rpcTables } from './rpc.js';
import { apiKeyStore } from './store/api-keys.js';
import { appliedEventStore } from './store/applied-events.js';
import { auditStore } from './store/audit.js';
import { idempotentRequestStore } from './store/idempotent-requests.js';
import { loginStore } from './store/logins.js';
import { memberStore } from './store/members.js';
import { createModels, type Models } from './store/models.js';
import { sessionStore } from './store/sessions.js';
import { userStore } from './store/users.js';
import { workspaceStore } from './store/workspaces.js';
import { accessTokenOf } from './usecases/access-token-of.js';

/** Starts the service, by the given clock. Rejects, with nothing left running, when a port is taken. */
export const start = (config: Config, now = (): Date => new Date()): Promise<Running> =>
  startService({ name: 'workspaces', config, createModels }, (ground) => wire(config, ground, now));

function wire(config: Config, { log, registry, stack, bus, models, outbox }: Ground<Models>, now: () => Date) {
  const background = stack.add('background', new Background(log), (work) => work.settled());

  const identity = identityOf(config);
  const apiKeys = apiKeyStore(models);
  const workspaces = workspaceStore(models);
  const dropCredentials = (what: { apiKeyIds?: string[]; userIds?: string[] }): void =>
    void bus.notify(invalidations.credential, what);
  const sessionDeps = {
    provider: identity && httpProvider({ settings: identity.settings, log, registry, now }),
    sealing: identity && new Sealing(identity.encryptionKeys),
    sessions: sessionStore(models),
    refreshing: new Map(),
    background,
    dropCredentials,
    now,
  };
  const audit = auditStore(models);
  const tables = rpcTables({
    ...sessionDeps,
    audit,
    accessTokenOf: (credential) => accessTokenOf(sessionDeps, credential),
    logins: loginStore(models),
    workspaces,
    members: memberStore(models),
    users: userStore(models),
    apiKeys,
    requests: idempotentRequestStore(models),
    transact: outbox.transact,
    noteUse: (id, at) => background.run(`use of ${id}`, () => apiKeys.noteUse(id, at)),
  });
  const consumers = startConsumers({
    bus,
    workspaces,
    appliedEvents: appliedEventStore(models),
    audit,
    deadLetters: models.deadLetters,
    dropEntitlements: (workspaceId) => void bus.notify(invalidations.entitlements, { workspaceId }),
    transact: outbox.transact,
    log,
    now,
  });
  stack.add('consumers', consumers, () => consumers.stop());
  return tables;
}

/** `main.js audit:verify [workspace …]`: 0 when every chain holds, 1 when one is broken, 2 when it cannot be told. */
async function verifyAndExit(workspaceIds: string[]): Promise<never> {
  try {
    const hold = await auditVerify(readAuditConfig(), workspaceIds, (line) => process.stdout.write(`${line}\n`));
    process.exit(hold ? 0 : 1);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

if (import.meta.filename === process.argv[1]) {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'audit:verify') await verifyAndExit(rest);
  await runProcess('workspaces', () => start(readWorkspacesConfig()));
}
