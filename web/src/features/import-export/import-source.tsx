import { Upload } from 'lucide-react';
import { useId, useState, type DragEvent } from 'react';
import { useMessages } from '../../i18n/messages.js';
import { toast } from '../../ui/toast.js';
import { textOfFile } from './file-text.js';
import styles from './import-page.module.css';
import { transferMessages } from './messages.js';

const MAX_BYTES = 50_000_000;

interface ImportSourceProps {
  text: string;
  isLocked: boolean;
  onText: (text: string) => void;
}

/** Accepts a dropped or selected file, or pasted rows. */
export function ImportSource({ text, isLocked, onText }: ImportSourceProps) {
  const t = useMessages(transferMessages);
  const id = useId();
  const [name, setName] = useState('');
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > MAX_BYTES) return toast(t.tooLarge);
    const content = textOfFile(await file.arrayBuffer());
    if (content === undefined) return toast(t.notUtf8);
    setName(file.name);
    onText(content);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    if (!isLocked) void load(event.dataTransfer.files[0]);
  };
  return (
    <div className={styles['source']}>
      <label className={styles['drop']} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <Upload aria-hidden />
        <span>{t.drop}</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(event) => {
            void load(event.target.files?.[0]);
            // So that choosing the same file again loads it again.
            event.target.value = '';
          }}
        />
        {name && text && <strong>{name}</strong>}
      </label>
      <div className={styles['paste']}>
        <label htmlFor={id}>{t.paste}</label>
        <textarea
          id={id}
          rows={5}
          spellCheck={false}
          // Showing the text of a large file would make the page slow.
          value={name ? '' : text}
          onChange={(event) => {
            setName('');
            onText(event.target.value);
          }}
        />
      </div>
    </div>
  );
}
