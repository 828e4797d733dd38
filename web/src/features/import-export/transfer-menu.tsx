import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDownUp, Download, Upload } from 'lucide-react';
import { useErrorText } from '../../api/errors.js';
import { useApi, useCan } from '../../api/session-context.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.js';
import { saveFile } from '../../ui/save-file.js';
import { toast } from '../../ui/toast.js';
import { transferMessages } from './messages.js';

const exportFormats = ['csv', 'json', 'ndjson'] as const;
type ExportFormat = (typeof exportFormats)[number];

/** Menu for importing links and exporting all links in a selected format. */
export function TransferMenu() {
  const t = useMessages(transferMessages);
  const canImport = useCan('member');
  const navigate = useNavigate();
  const { mutate: save, isPending } = useExport();
  const trigger = (
    <Button disabled={isPending}>
      <ArrowDownUp aria-hidden />
      {t.menu}
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      {canImport && (
        <MenuItem onSelect={() => void navigate({ to: '/links/import' })}>
          <Upload aria-hidden />
          {t.import}
        </MenuItem>
      )}
      <MenuLabel>{t.export}</MenuLabel>
      {exportFormats.map((format) => (
        <MenuItem key={format} onSelect={() => save(format)}>
          <Download aria-hidden />
          {t.formats[format]}
        </MenuItem>
      ))}
    </Menu>
  );
}

function useExport() {
  const api = useApi();
  const describe = useErrorText();
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const response = await api.fetch('/links/export', { query: { format } });
      saveFile(await response.blob(), `links-${new Date().toISOString().slice(0, 10)}.${format}`);
    },
    onError: (error) => toast(describe(error)),
  });
}
