const sorted = (values) => [...values].sort((a, b) => a - b)

/** Nearest rank: the smallest value that `share` of all values do not exceed. */
export const quantile = (values, share) => sorted(values)[Math.max(0, Math.ceil(values.length * share) - 1)]

export function median(values) {
  const order = sorted(values)
  const middle = order.length >> 1
  return order.length % 2 === 1 ? order[middle] : (order[middle - 1] + order[middle]) / 2
}

export const spread = (values, digits = 2) => `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`
export const count = (value) => Math.round(value).toLocaleString('en-US')
export const ms = (value) => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`
export const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MB`
export const percent = (share) => `${Math.round(share * 100)} %`
