/** A section of a mail that shows products, as it is written. */
export const PRODUCT_PARTS = ['image', 'name', 'price', 'button'] as const
export type ProductPart = (typeof PRODUCT_PARTS)[number]

/** `price`: a number as text. `currency`: ISO 4217. */
export type Product = { name: string; image?: string; price?: string; currency?: string; url?: string }

/**
 * `trait`: an array in an attribute of the person. `instances`: published content of a block type by its tags `#name`, `#image`,
 * `#price`, `#currency`, `#url`; `items`: what it says by language, written when the mail is saved or submitted.
 */
export type ProductSource = { trait: string } | { block: string; instances: string[]; items?: { [locale: string]: Product[] } }

/** `limit`: products at most. `showTo`: as of other sections. */
export type ProductSection = {
  id: string
  type: 'products'
  source: ProductSource
  columns: 1 | 2 | 3
  limit: number
  show: ProductPart[]
  showTo?: string
}

/** A person may have any number of them; no more are looked at. */
export const MOST_PRODUCTS = 12
