import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Returns a ref for an element, and the element's width in pixels. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    observer.observe(element.current!);
    setWidth(element.current!.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
