import type { RunningIdentity } from '@tautan/local-identity';
import { readDemo, writeDemo } from './demo-file.js';
import {
  accessTokenOf,
  renameOwnWorkspace,
  restoreDemoPerson,
  signUpDemoPerson,
  UnusableDemoPersonError,
  type DemoPerson,
} from './demo-person.js';
import type { IdentityFacts } from './identity.js';

/** The owner's access token, and the identity provider's id for the workspace that becomes the demo workspace. */
export interface ProviderAccess {
  token: string;
  externalId: string;
}

/** Name of the demo workspace. */
export const DEMO_NAME = 'Demo';

/** The owner of the demo workspace: the demo user at the local identity provider. */
export class DemoOwner {
  #access: Promise<ProviderAccess> | undefined;

  private constructor(
    private readonly dataDir: string,
    private readonly identity: IdentityFacts,
    private readonly provider: RunningIdentity,
    private current: DemoPerson,
  ) {}

  /**
   * Returns the demo user of the last start, or creates one. Requires no other process, so it can run while the others
   * start.
   */
  static async ensure(dataDir: string, identity: IdentityFacts, provider: RunningIdentity): Promise<DemoOwner> {
    const { person, apiKey } = readDemo(dataDir);
    // A start with `--repair` may have removed the account, if its record was damaged.
    if (person) await restoreDemoPerson(provider, person);
    const owner = new DemoOwner(dataDir, identity, provider, person ?? (await newPerson(dataDir, provider)));
    if (apiKey === undefined) await owner.access();
    return owner;
  }

  get person(): DemoPerson {
    return this.current;
  }

  /** Returns a URL that signs the user in. The URL is valid until the provider stops. */
  createSignInLink(): string {
    return this.provider.createSignInLink(this.current.email);
  }

  /**
   * Signs the user in once. If the password was changed or the user has no workspace, creates another demo user
   * instead.
   */
  access(): Promise<ProviderAccess> {
    return (this.#access ??= this.#signIn());
  }

  async #signIn(): Promise<ProviderAccess> {
    try {
      return await this.#accessAtProvider();
    } catch (error) {
      if (!(error instanceof UnusableDemoPersonError)) throw error;
    }
    this.current = await newPerson(this.dataDir, this.provider);
    return this.#accessAtProvider();
  }

  async #accessAtProvider(): Promise<ProviderAccess> {
    const token = await accessTokenOf(this.identity, this.current);
    return { token, externalId: await renameOwnWorkspace(this.identity.url, token, DEMO_NAME) };
  }
}

/** Creates a demo user and stores the password immediately, because it cannot be recovered. */
async function newPerson(dataDir: string, provider: RunningIdentity): Promise<DemoPerson> {
  const person = await signUpDemoPerson(provider);
  writeDemo(dataDir, { ...readDemo(dataDir), person });
  return person;
}
