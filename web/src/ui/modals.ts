type Listener = () => void;

const listeners = new Set<Listener>();
let open: readonly HTMLDialogElement[] = [];

function change(next: readonly HTMLDialogElement[]): void {
  open = next;
  listeners.forEach((listener) => listener());
}

/** The open modal dialogs. The page behind the topmost one is inert. */
export const modals = {
  topmost: (): HTMLDialogElement | undefined => open.at(-1),
  /** Opens a dialog. Returns a function that closes it. */
  show: (dialog: HTMLDialogElement): (() => void) => {
    dialog.showModal();
    change([...open, dialog]);
    return () => {
      dialog.close();
      change(open.filter((other) => other !== dialog));
    };
  },
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
