import { command, type CommandGroup } from '../command.js';
import { count } from '../output.js';

interface Renewal {
  checked: number;
  renewed: number;
  unreadable: string[];
}

const renew = command<Renewal>({
  name: 'renew',
  summary: 'Encrypt stored secrets under the first key of ENCRYPTION_KEYS; exit code 1 when one cannot be read',
  needs: 'RenewEncryption',
  where: 'webhooks',
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
      ...unreadable.map((id) => `${id}  cannot be read with the keys of ENCRYPTION_KEYS`),
      `Encrypted ${renewed} of ${count(checked, 'secret')} anew.`,
    ].join('\n'),
  failed: ({ unreadable }) => unreadable.length > 0,
});

export const encryption: CommandGroup = {
  name: 'encryption',
  summary: 'Renew the encryption of stored secrets after a change of keys (webhooks and workspaces store some)',
  commands: [renew],
};
