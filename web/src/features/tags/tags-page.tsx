import { Ellipsis, Pencil, Plus, Tag as TagIcon, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../api/session-context.js';
import { useFormats } from '../../i18n/formats.js';
import { useMessages } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Menu, MenuItem } from '../../ui/menu.js';
import { Page } from '../../ui/page.js';
import { EmptyState, Loaded } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { tagMessages } from './messages.js';
import { CreateTagDialog, DeleteTagDialog, RenameTagDialog } from './tag-dialogs.js';
import { useTags, type Tag } from './tags.js';

type Open = { kind: 'create' } | { kind: 'rename' | 'delete'; tag: Tag } | undefined;

/** Lists all tags of the workspace. Everyone except viewers can create, rename and delete tags. */
export function TagsPage() {
  const t = useMessages(tagMessages);
  const canEdit = useCan('member');
  const query = useTags();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const create = canEdit && (
    <Button variant="primary" onClick={() => setOpen({ kind: 'create' })}>
      <Plus aria-hidden />
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={query.data?.length !== 0 && create}>
      <Loaded query={query}>
        {(tags) =>
          tags.length > 0 ? (
            <TagTable tags={tags} onOpen={canEdit ? setOpen : undefined} />
          ) : (
            <EmptyState icon={TagIcon} title={t.emptyTitle} text={t.emptyText}>
              {create}
            </EmptyState>
          )
        }
      </Loaded>
      {open?.kind === 'create' && <CreateTagDialog onClose={close} />}
      {open?.kind === 'rename' && <RenameTagDialog tag={open.tag} onClose={close} />}
      {open?.kind === 'delete' && <DeleteTagDialog tag={open.tag} onClose={close} />}
    </Page>
  );
}

/** The tags in a table, with a menu for each if the user may change them. */
function TagTable({ tags, onOpen }: { tags: Tag[]; onOpen: ((open: Open) => void) | undefined }) {
  const t = useMessages(tagMessages);
  const { number, date } = useFormats();
  const columns: Column<Tag>[] = [
    { header: t.name, cell: ({ name }) => <strong>{name}</strong> },
    { header: t.links, cell: ({ linkCount }) => number(linkCount), kind: 'end' },
    { header: t.qrCodes, cell: ({ qrCodeCount }) => number(qrCodeCount), kind: 'end' },
    { header: t.updated, cell: ({ updatedAt }) => date(updatedAt), kind: 'end', onNarrow: 'hidden' },
  ];
  if (onOpen)
    columns.push({ header: t.actions, cell: (tag) => <TagMenu tag={tag} onOpen={onOpen} />, kind: 'actions' });
  return <Table label={t.title} columns={columns} rows={tags} keyOf={({ id }) => id} />;
}

function TagMenu({ tag, onOpen }: { tag: Tag; onOpen: (open: Open) => void }) {
  const t = useMessages(tagMessages);
  const trigger = (
    <Button variant="quiet" icon aria-label={t.actionsFor(tag.name)}>
      <Ellipsis aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => onOpen({ kind: 'rename', tag })}>
        <Pencil aria-hidden />
        {t.rename}
      </MenuItem>
      <MenuItem danger onSelect={() => onOpen({ kind: 'delete', tag })}>
        <Trash2 aria-hidden />
        {t.delete}
      </MenuItem>
    </Menu>
  );
}
