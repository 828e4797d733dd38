import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import styles from './search-field.module.css';

const PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  value: string;
  /** Called when the user pauses typing or presses Enter. */
  onSearch: (text: string) => void;
}

/** A search box that searches as the user types. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [searched, setSearched] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    // The value was not set by this field, but for example by a button that clears all filters.
    if (value !== searched) {
      setSearched(value);
      setText(value);
    }
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      setSearched(text);
      onSearch(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <div className={styles['search']} role="search">
      <Search aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          // Enter must not submit a form around the field. During composition, Enter only confirms the character.
          if (e.key !== 'Enter' || e.nativeEvent.isComposing) return;
          e.preventDefault();
          setSearched(text);
          onSearch(text);
        }}
      />
    </div>
  );
}
