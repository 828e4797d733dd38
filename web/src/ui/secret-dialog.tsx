import { useMessages } from '../i18n/messages.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { Dialog, DialogText } from './dialog.js';
import { FormActions } from './form.js';
import { uiMessages } from './messages.js';
import styles from './secret-dialog.module.css';

interface SecretDialogProps {
  title: string;
  /** Says what the user should do with the secret. */
  text: string;
  secret: string;
  copyLabel: string;
  onClose: () => void;
}

/** Shows a value to copy, such as a secret that is shown only once. */
export function SecretDialog({ title, text, secret, copyLabel, onClose }: SecretDialogProps) {
  const ui = useMessages(uiMessages);
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogText>{text}</DialogText>
      <div className={styles['secret']}>
        <input readOnly value={secret} aria-label={title} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={secret} label={copyLabel} />
      </div>
      <FormActions>
        <Button variant="primary" onClick={onClose}>
          {ui.done}
        </Button>
      </FormActions>
    </Dialog>
  );
}
