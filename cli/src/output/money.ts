/** Formats an amount in the major unit of a currency (ISO 4217), such as "Rp 149,000", "$9" or "-$4.50". */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  })
    .format(amount)
    .replace(/\s/g, ' ');
