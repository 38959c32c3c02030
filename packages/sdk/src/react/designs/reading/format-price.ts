/** Formats a price for people: `SAR 189`, `‏79.50 ر.س.‏`. Cents are left out of round prices; without a usable currency only the number is shown. */
export function formatPrice(amount: number, currency: string | undefined, locale: string): string {
  const digits = Number.isInteger(amount) ? { minimumFractionDigits: 0 } : {}
  const isCode = currency !== undefined && /^[A-Za-z]{3}$/.test(currency)
  return new Intl.NumberFormat(locale, isCode ? { style: 'currency', currency, ...digits } : digits).format(amount)
}
