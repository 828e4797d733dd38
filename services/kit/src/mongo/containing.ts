const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Conditions for all of some texts being found, each in any of some fields, whatever their case. */
export function containing(terms: string[], fields: string[]): Record<string, unknown> {
  if (terms.length === 0) return {};
  return {
    $and: terms.map((term) => {
      const $regex = escape(term);
      return { $or: fields.map((field) => ({ [field]: { $regex, $options: 'i' } })) };
    }),
  };
}
