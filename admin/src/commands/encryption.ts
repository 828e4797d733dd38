import { command, type CommandGroup } from '../command.js';
import { count } from '../output.js';

interface Renewal {
  checked: number;
  renewed: number;
  unreadable: string[];
}

const renew = command<Renewal>({
  name: 'renew',
  summary: 'Re-encrypt stored secrets under the first key of ENCRYPTION_KEYS; exits with 1 if one cannot be decrypted',
  rpc: 'RenewEncryption',
  hintWorkload: 'webhooks',
  run: async ({ service }) => {
    const total: Renewal = { checked: 0, renewed: 0, unreadable: [] };
    let after = '';
    do {
      const page = await service.call('encryption', 'RenewEncryption', { after });
      total.checked += page.checked;
      total.renewed += page.renewed;
      total.unreadable.push(...page.unreadable);
      after = page.next;
    } while (after !== '');
    return total;
  },
  text: ({ checked, renewed, unreadable }) =>
    [
      ...unreadable.map((id) => `${id}  cannot be decrypted with the keys of ENCRYPTION_KEYS`),
      `Re-encrypted ${renewed} of ${count(checked, 'secret')}.`,
    ].join('\n'),
  failed: ({ unreadable }) => unreadable.length > 0,
});

export const encryption: CommandGroup = {
  name: 'encryption',
  summary: 'Re-encrypt the stored secrets of a service after a key change (webhooks and workspaces)',
  commands: [renew],
};
