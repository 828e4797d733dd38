import { useErrorText } from '../../api/errors.js';
import { useMessages } from '../../i18n/messages.js';
import { toast } from '../../ui/toast.js';
import { undoOf, useBulk, type BulkChange, type BulkFailure, type BulkResult } from './bulk.js';
import { linkMessages } from './messages.js';

type OnFailures = (failures: BulkFailure[]) => void;

/**
 * Returns a function that shows the result of a change, with an undo button if the change can be undone. `onFailures`
 * receives the links that could not be changed.
 */
export function useReport(onFailures: OnFailures): (result: BulkResult) => void {
  const t = useMessages(linkMessages);
  const { mutateAsync } = useBulk();
  const report = ({ changed, failures }: BulkResult): void => {
    if (failures.length > 0) onFailures(failures);
    if (changed.links.length === 0) return;
    const undo = undoOf(changed);
    const revert = undo && undo.links.length > 0 ? async () => report(await mutateAsync(undo)) : undefined;
    toast(t.changed[changed.action](changed.links.length), revert);
  };
  return report;
}

/** Returns `change`, which changes links and reports the result, and `isPending`, which is true during a change. */
export function useChange(onFailures: OnFailures) {
  const report = useReport(onFailures);
  const describe = useErrorText();
  const { mutateAsync, isPending } = useBulk();
  // Callbacks passed to `mutate` would not run: the menu that starts a change is unmounted before the change completes.
  const change = (wanted: BulkChange): void =>
    void mutateAsync(wanted).then(report, (error: unknown) => toast(describe(error)));
  return { change, isPending };
}
