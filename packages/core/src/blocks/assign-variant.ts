/**
 * The index of the variant a device gets, or -1 for the base values: no device, or no variants.
 * G-73: the first four bytes of SHA-256 of `<device id>:<instance id>`, modulo the sum of the weights, so
 * every server agrees. `hash32` is passed in because core has no hash of its own.
 */
export function assignVariant(
  weights: readonly number[],
  deviceId: string | undefined,
  instanceId: string,
  hash32: (text: string) => number,
): number {
  if (deviceId === undefined) return -1
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return -1
  let point = hash32(`${deviceId}:${instanceId}`) % total
  for (const [index, weight] of weights.entries()) {
    if (point < weight) return index
    point -= weight
  }
  return -1
}
