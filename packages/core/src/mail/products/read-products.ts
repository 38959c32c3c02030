import { fault, integer, object, oneOf } from '../../journeys/read-values.ts'
import { LIMITS } from '../../limits.ts'
import { MOST_PRODUCTS, PRODUCT_PARTS, type ProductSection, type ProductSource } from './product-section.ts'

/** A section of products, but for its id and its segment. What its content says is not read: that is written when the mail is stored. */
export function readProducts(at: string, value: unknown): Omit<ProductSection, 'id' | 'showTo'> {
  const sent = object(at, value, ['id', 'type', 'source', 'columns', 'limit', 'show', 'showTo'])
  const { columns, limit, show } = sent
  const isList = Array.isArray(show) && show.length > 0 && show.length <= PRODUCT_PARTS.length
  const parts = isList ? show : fault(`${at}.show must be an array of ${PRODUCT_PARTS.join(', ')}`)
  return {
    type: 'products',
    source: readSource(`${at}.source`, sent['source']),
    columns: columns === 1 || columns === 2 || columns === 3 ? columns : fault(`${at}.columns must be 1, 2 or 3`),
    limit: integer(`${at}.limit`, limit, { min: 1, max: MOST_PRODUCTS }),
    show: parts.map((part, index) => oneOf(`${at}.show[${index}]`, part, PRODUCT_PARTS)),
  }
}

function readSource(at: string, value: unknown): ProductSource {
  const { trait, block, instances } = object(at, value, ['trait', 'block', 'instances', 'items'])
  if (trait !== undefined) return { trait: name(`${at}.trait`, trait) }
  const isRight = Array.isArray(instances) && instances.length > 0 && instances.length <= MOST_PRODUCTS
  const ids = isRight ? instances : fault(`${at}.instances must be an array of 1 to ${MOST_PRODUCTS} ids`)
  return { block: name(`${at}.block`, block), instances: ids.map((id, index) => name(`${at}.instances[${index}]`, id)) }
}

function name(at: string, value: unknown): string {
  const isRight = typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.stringKeyLength
  return isRight ? value : fault(`${at} must be a text of 1 to ${LIMITS.stringKeyLength} characters`)
}
