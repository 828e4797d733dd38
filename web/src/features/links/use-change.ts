import { useErrorText } from '../../api/errors.js';
import { useMessages } from '../../i18n/messages.js';
import { toast } from '../../ui/toast.js';
import { undoOf, useBulk, type BulkChange, type BulkFailure } from './bulk.js';
import { linkMessages } from './messages.js';

/** Returns a function that changes links, and says so with a button to undo it. `onFailures` receives those that failed. */
export function useChange(onFailures: (failures: BulkFailure[]) => void) {
  const t = useMessages(linkMessages);
  const describe = useErrorText();
  const { mutateAsync, isPending } = useBulk();
  const run = async (change: BulkChange): Promise<void> => {
    try {
      const failures = await mutateAsync(change);
      if (failures.length > 0) onFailures(failures);
      const failed = new Set(failures.map(({ link }) => link.id));
      const links = change.links.filter(({ id }) => !failed.has(id));
      if (links.length === 0) return;
      const undo = undoOf({ ...change, links });
      toast(t.changed[change.action](links.length), undo?.links.length ? () => void run(undo) : undefined);
    } catch (error) {
      toast(describe(error));
    }
  };
  return { change: (change: BulkChange) => void run(change), isPending };
}
