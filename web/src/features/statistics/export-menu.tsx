import { Download } from 'lucide-react';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { saveFile } from '../../ui/save-file.js';
import { Menu, MenuItem } from '../../ui/menu.js';
import { csvOf } from './csv.js';
import { statisticsMessages } from './messages.js';
import type { Range } from './range.js';
import type { Figures, Subject } from './statistics.js';

interface ExportMenuProps {
  /** Undefined while the figures of the range are loading. */
  figures: Figures | undefined;
  range: Range;
  subject: Subject;
}

/** Downloads the figures that the page shows. */
export function ExportMenu({ figures, range, subject }: ExportMenuProps) {
  const t = useMessages(statisticsMessages);
  const name = ['statistics', 'id' in subject ? subject.id : undefined, range.from].filter(Boolean).join('-');
  const save = (extension: 'csv' | 'json', type: string, text: string): void =>
    saveFile(new Blob([text], { type }), `${name}.${extension}`);
  const trigger = (
    <Button disabled={!figures}>
      <Download aria-hidden />
      {t.export}
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => figures && save('csv', 'text/csv', csvOf(figures))}>{t.exportCsv}</MenuItem>
      <MenuItem onSelect={() => figures && save('json', 'application/json', JSON.stringify({ ...range, ...figures }))}>
        {t.exportJson}
      </MenuItem>
    </Menu>
  );
}
